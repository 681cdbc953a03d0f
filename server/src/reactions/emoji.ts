import { createRequire } from 'node:module'

interface Entry {
  hexcode: string
  unicode: string
  skins?: Entry[]
}

export interface Emoji {
  /** What makes two reactions the same. */
  key: string
  /** The text name, such as `:+1::skin-tone-1:`. */
  name: string
}

/** Custom reactions that work out of the box, with any code. */
const CUSTOM = new Set(['agent-thinking'])
const SELECTORS = /[\ufe0e\ufe0f]/g
const TONES = ['1F3FB', '1F3FC', '1F3FD', '1F3FE', '1F3FF']

function keyOf(code: string): string {
  return code.replaceAll(SELECTORS, '')
}

/** Skin tones are part of the name: one suffix a tone. */
function toneOf(hexcode: string): string {
  const tones = hexcode.split('-').flatMap((part) => (TONES.includes(part) ? [TONES.indexOf(part) + 1] : []))
  return tones.map((tone) => `:skin-tone-${tone}:`).join('')
}

/** Every emoji with its name, read once, at start. */
export function loadEmoji(): ReadonlyMap<string, Emoji> {
  const load = createRequire(import.meta.url)
  const entries = load('emojibase-data/en/compact.json') as Entry[]
  const shortcodes = load('emojibase-data/en/shortcodes/iamcal.json') as Record<string, string | string[]>
  const emoji = new Map<string, Emoji>()
  const add = (entry: Entry, base: Entry) => {
    const short = shortcodes[base.hexcode] ?? base.hexcode.toLowerCase()
    const name = `:${Array.isArray(short) ? short[0] : short}:${toneOf(entry.hexcode)}`
    const key = keyOf(entry.unicode)
    emoji.set(key, { key, name })
  }
  for (const entry of entries) {
    add(entry, entry)
    for (const skin of entry.skins ?? []) add(skin, entry)
  }
  return emoji
}

/** The emoji a caller means, or undefined: `+1` and `:+1:` are names and no emoji. */
export function emojiOf(
  known: ReadonlyMap<string, Emoji>,
  code: string,
  name: string | undefined,
): Emoji | undefined {
  const bare = name?.replaceAll(/^:|:$/g, '')
  if (bare && CUSTOM.has(bare)) return { key: `:${bare}:`, name: name as string }
  return known.get(keyOf(code))
}
