import { slugify } from 'transliteration'

const NICKNAME = /^[A-Za-z0-9_]+_bot$/
export const NICKNAME_MAX = 255
const SUFFIX = '_bot'
/** Room for the suffix and for digits. */
const STEM_MAX = NICKNAME_MAX - SUFFIX.length - 6

export function isBotNickname(nickname: string): boolean {
  return nickname.length <= NICKNAME_MAX && NICKNAME.test(nickname)
}

/** The first letters of a nickname made of a name in any script: `Бот погоды` gives `bot_pogody`. */
export function stemOf(name: string): string {
  const slug = slugify(name, { separator: '_', lowercase: true }).replaceAll(/[^a-z0-9_]/g, '')
  const stem = slug
    .replaceAll(/_{2,}/g, '_')
    .replaceAll(/^_|_$/g, '')
    .replace(/_?bot$/, '')
  return stem.slice(0, STEM_MAX).replace(/_$/, '') || 'new'
}

/** The nicknames to try for a name, one after the other. */
export function* nicknamesFor(name: string): Generator<string> {
  const stem = stemOf(name)
  yield stem + SUFFIX
  for (let number = 2; ; number += 1) yield `${stem}${number}${SUFFIX}`
}
