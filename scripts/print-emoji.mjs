// Prints the parts of the emoji data set that are needed: server/data/emoji.json, each emoji with its text name;
// imports/data/emoji-names.json, each name that a messenger writes for an emoji; web/data/emoji-LANGUAGE.json, what the client
// shows and searches. The data set has 49 MB, so it is installed for this alone: npm install --no-save emojibase-data@17
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const TONES = ['1F3FB', '1F3FC', '1F3FD', '1F3FE', '1F3FF']
const FLAGS = 9
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

/** What people know to type between colons: codes of one word, unless that is the name. Flags are found by their country. */
function codesOf({ hexcode, label, group }) {
  const codes = group === FLAGS ? [] : [shortcodes[hexcode] ?? []].flat()
  return codes.filter((code) => !/[-_]/.test(code) && code !== label.toLowerCase())
}

/**
 * Character, name, words to find it by, group and short codes of every emoji in a language, in their usual order. Group 2 has parts
 * of emoji.
 */
function printLanguage(language) {
  const listed = load(`emojibase-data/${language}/compact.json`)
    .filter(({ group }) => group !== undefined && group !== 2)
    .sort((a, b) => a.order - b.order)
    .map((emoji) => {
      const { unicode, label, tags = [], group } = emoji
      return JSON.stringify([unicode, label, tags.join(' '), group, codesOf(emoji).join(' ')])
    })
  writeFileSync(`web/data/emoji-${language}.json`, `[\n${listed.join(',\n')}\n]\n`)
}
for (const language of ['en', 'ru']) printLanguage(language)
