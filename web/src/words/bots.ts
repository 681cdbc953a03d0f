import { locale } from '../platform/i18n.js'
import { bots as en } from './en/bots.js'
import type { Text } from './index.js'
import { bots as ru } from './ru/bots.js'

/** Texts about building bots; they come with its screens. */
export const botWords = (): Text<typeof en> => (locale() === 'ru' ? ru : en)
