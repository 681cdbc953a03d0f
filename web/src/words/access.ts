import { locale } from '../platform/i18n.js'
import { access as en } from './en/access.js'
import type { Text } from './index.js'
import { access as ru } from './ru/access.js'

/** Texts about access, which only a few screens need: they come with those and not with the first one. */
export const accessWords = (): Text<typeof en> => (locale() === 'ru' ? ru : en)
