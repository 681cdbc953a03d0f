import { locale } from '../platform/i18n.js'
import { imports as en } from './en/imports.js'
import type { Text } from './index.js'
import { imports as ru } from './ru/imports.js'

/** Texts about imports of other messengers; they come with the screens of the administration. */
export const importWords = (): Text<typeof en> => (locale() === 'ru' ? ru : en)
