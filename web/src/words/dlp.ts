import { locale } from '../platform/i18n.js'
import { dlp as en } from './en/dlp.js'
import type { Text } from './index.js'
import { dlp as ru } from './ru/dlp.js'

/** Texts about rules against leaks; they come with the screens of the administration. */
export const dlpWords = (): Text<typeof en> => (locale() === 'ru' ? ru : en)
