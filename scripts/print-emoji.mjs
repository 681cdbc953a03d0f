// Prints the parts of the emoji data set that are needed at run time: server/data/emoji.json, each emoji with its text
// name, and imports/data/emoji-names.json, each name that a messenger writes for an emoji.
// The data set is 49 MB and needed nowhere else at run time; run this again after it was upgraded.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const TONES = ['1F3FB', '1F3FC', '1F3FD', '1F3FE', '1F3FF']
const SELECTORS = /[\ufe0e\ufe0f]/g
const load = createRequire(import.meta.url)
const entries = load('emojibase-data/en/compact.json')
const shortcodes = load('emojibase-data/en/shortcodes/iamcal.json')

/** Skin tones are part of the name: one suffix a tone. */
function toneOf(hexcode) {
  const tones = hexcode.split('-').flatMap((part) => (TONES.includes(part) ? [TONES.indexOf(part) + 1] : []))
  return tones.map((tone) => `:skin-tone-${tone}:`).join('')
}

function nameOf(entry, base) {
  const short = shortcodes[base.hexcode] ?? base.hexcode.toLowerCase()
  return `:${Array.isArray(short) ? short[0] : short}:${toneOf(entry.hexcode)}`
}

const names = entries.flatMap((base) =>
  [base, ...(base.skins ?? [])].map((entry) => [
    entry.unicode.replaceAll(SELECTORS, ''),
    nameOf(entry, base),
  ]),
)
const lines = names.map((pair) => JSON.stringify(pair))
writeFileSync('server/data/emoji.json', `[\n${lines.join(',\n')}\n]\n`)

// Where two sets mean different emoji by one name, the first set wins.
const SETS = ['iamcal', 'github', 'joypixels', 'emojibase-legacy', 'emojibase']
const byName = new Map()
for (const set of SETS) {
  const codes = load(`emojibase-data/en/shortcodes/${set}.json`)
  for (const { hexcode, unicode } of entries) {
    for (const name of [codes[hexcode] ?? []].flat()) if (!byName.has(name)) byName.set(name, unicode)
  }
}
const named = [...byName].sort(([one], [other]) => (one < other ? -1 : 1)).map((pair) => JSON.stringify(pair))
writeFileSync('imports/data/emoji-names.json', `[\n${named.join(',\n')}\n]\n`)
