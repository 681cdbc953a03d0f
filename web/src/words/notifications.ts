import { locale } from '../platform/i18n.js'
import { notifications as en } from './en/notifications.js'
import type { Text } from './index.js'
import { notifications as ru } from './ru/notifications.js'

/** Texts about notifications: they come with the screens that need them and not with the first one. */
export const notificationWords = (): Text<typeof en> => (locale() === 'ru' ? ru : en)
