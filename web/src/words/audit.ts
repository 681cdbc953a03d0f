import { locale } from '../platform/i18n.js'
import { audit as en } from './en/audit.js'
import type { Text } from './index.js'
import { audit as ru } from './ru/audit.js'

/** What audit events say, by their keys; they come with the audit log. */
export const auditWords = (): Text<typeof en> => (locale() === 'ru' ? ru : en)
