import { locale } from '../platform/i18n.js'
import type { Emoji } from './find.js'

/** All emoji with their names in the language of the client. */
export async function loadEmoji(): Promise<readonly Emoji[]> {
  const module = locale() === 'ru' ? await import('virtual:emoji-ru') : await import('virtual:emoji-en')
  return module.emoji
}
