/** Loaded with the first bot that needs it: the tables of the scripts take ten megabytes. */
import { slugify } from 'transliteration'
import { NICKNAME_MAX } from './nickname.js'

const SUFFIX = '_bot'
/** Room for the suffix and for digits. */
const STEM_MAX = NICKNAME_MAX - SUFFIX.length - 6

/** The first letters of a nickname made of a name in any script: `Бот погоды` gives `bot_pogody`. */
function stemOf(name: string): string {
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
