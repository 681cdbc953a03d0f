import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import type { Mail } from './mail.js'
import { createOutboxMail } from './outbox.js'
import { createSmtpMail } from './smtp.js'

/** The mail that the configuration names: a mail server, or a folder where there is none. */
export function openMail(config: Config, folder: string, clock: Clock): Mail {
  if (config.smtp_url) return createSmtpMail({ url: config.smtp_url, from: config.mail_from })
  return createOutboxMail({ folder, clock })
}
