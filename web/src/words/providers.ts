import { locale } from '../platform/i18n.js'
import { providers as en } from './en/providers.js'
import type { Text } from './index.js'
import { providers as ru } from './ru/providers.js'

/** Texts of signing in through an identity provider; they come where there is one. */
export const providerWords = (): Text<typeof en> => (locale() === 'ru' ? ru : en)
