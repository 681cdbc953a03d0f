import { readFileSync } from 'node:fs'

const TONES = ['', '', '\u{1f3fb}', '\u{1f3fc}', '\u{1f3fd}', '\u{1f3fe}', '\u{1f3ff}']

let names: Map<string, string> | undefined

function table(): Map<string, string> {
  names ??= new Map(
    JSON.parse(readFileSync(new URL('../../data/emoji-names.json', import.meta.url), 'utf8')) as [
      string,
      string,
    ][],
  )
  return names
}

/** The emoji of a name without colons, with its skin tone (2–6) where it has one; undefined for names of a workspace's own. */
export function emojiOf(name: string, tone = 0): string | undefined {
  const emoji = table().get(name.toLowerCase())
  return emoji === undefined ? undefined : withTone(emoji, tone)
}

/** A skin tone follows the first character of the emoji, in place of its variation selector. */
function withTone(emoji: string, tone: number): string {
  const mark = TONES[tone]
  if (!mark) return emoji
  const [first, ...rest] = [...emoji]
  const tail = rest[0] === '\ufe0f' ? rest.slice(1) : rest
  return `${first}${mark}${tail.join('')}`
}

/** Reads `name` or `name::skin-tone-4`. */
export function emojiOfShortName(short: string): string | undefined {
  const [name = '', tone] = short.split('::')
  return emojiOf(name, Number(/^skin-tone-([2-6])$/.exec(tone ?? '')?.[1] ?? 0))
}

const SHORT = /:([a-z0-9_+'-]{1,64})(?:::skin-tone-([2-6]))?:/gi

/** Replaces names of emoji in a text; others stay as typed. */
export function replaceEmojiNames(text: string): string {
  if (!text.includes(':')) return text
  return text.replace(
    SHORT,
    (typed, name: string, tone?: string) => emojiOf(name, Number(tone ?? 0)) ?? typed,
  )
}
