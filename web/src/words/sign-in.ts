import { locale } from '../platform/i18n.js'
import { signIn as en } from './en/sign-in.js'
import type { Text } from './index.js'
import { signIn as ru } from './ru/sign-in.js'

/** Texts about identity providers and SCIM; they come with the screens of the administration. */
export const signInWords = (): Text<typeof en> => (locale() === 'ru' ? ru : en)
