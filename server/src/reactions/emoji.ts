import { readFileSync } from 'node:fs'

export interface Emoji {
  /** What makes two reactions the same. */
  key: string
  /** The text name, such as `:+1::skin-tone-1:`. */
  name: string
}

/** Custom reactions that work out of the box, with any code. */
const CUSTOM = new Set(['agent-thinking'])
const SELECTORS = /[\ufe0e\ufe0f]/g
const DATA = new URL('../../data/emoji.json', import.meta.url)

function keyOf(code: string): string {
  return code.replaceAll(SELECTORS, '')
}

/** Every emoji with its name, read once, at start. */
export function loadEmoji(): ReadonlyMap<string, Emoji> {
  const names = JSON.parse(readFileSync(DATA, 'utf8')) as [key: string, name: string][]
  return new Map(names.map(([key, name]) => [key, { key, name }]))
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
