import type { Transporter } from 'nodemailer'
import type { Mail } from './mail.js'

export interface SmtpMailOptions {
  /** `smtp://` or `smtps://`, with user and password where the server wants them. */
  url: string
  from: string
}

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

/** Sends mail through an SMTP server, one connection a message. */
export function createSmtpMail(options: SmtpMailOptions): Mail {
  let transport: Promise<Transporter> | undefined

  return {
    async send({ to, subject, text, html, headers }) {
      transport ??= openTransport(options.url)
      // As an object the address is taken whole: a comma in it does not make a second recipient.
      const address = { name: '', address: to }
      await (await transport).sendMail({ from: options.from, to: address, subject, text, html, headers })
    },
  }
}

/** The client is loaded with the first mail, as many installations never send one. */
async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({ url, ...TIMEOUTS, disableFileAccess: true, disableUrlAccess: true })
}

/** Connects, encrypts where the server offers it, signs in, and sends nothing; rejects with what went wrong. */
export async function verifySmtp(url: string): Promise<void> {
  const transport = await openTransport(url)
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}
