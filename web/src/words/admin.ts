import { locale } from '../platform/i18n.js'
import { admin as en } from './en/admin.js'
import type { Text } from './index.js'
import { admin as ru } from './ru/admin.js'

/** Texts about running the workspace; they come with its screens. */
export const adminWords = (): Text<typeof en> => (locale() === 'ru' ? ru : en)
