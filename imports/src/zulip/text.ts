import { type MarkdownNames, readMarkdown } from '../text/markdown.js'
import { plain, type RichInline, type RichText, readableTime } from '../text/rich-text.js'

/** Whom and what a text may name. */
export interface ZulipNames {
  /** By id, else by full name where one person has it, in all or in the chat. */
  person(id: string | null, name: string): RichInline | null
  group(name: string): RichInline | null
  /** The id of a stream by its name. */
  stream(name: string): string | null
  /** An emoji by its name, where the export tells it. */
  emoji(name: string): string | null
}

const EVERYBODY = new Set(['all', 'everyone', 'channel', 'stream'])
/** Own marks: mentions, groups, links to streams, times and emoji. Each becomes one character that no text has. */
const OWN =
  /@_?\*\*([^*\n|]{1,200})(?:\|(\d{1,12}))?\*\*|@_?\*([^*\n]{1,200})\*|#\*\*([^*\n]{1,300})\*\*|<time:([^>\n]{1,60})>|:([a-z0-9_+-]{1,64}):/g
const FIRST = 0xf0000
const LAST = 0xffffd

/** Reads a text of Zulip: Markdown with marks of its own. */
export function readZulipText(source: string, names: ZulipNames): RichText {
  const found: { typed: string; inline: RichInline[] }[] = []
  const marked = blocksAsTyped(source).replace(OWN, (typed, person, id, group, stream, time, emoji) => {
    if (FIRST + found.length > LAST) return typed
    const inline = readOwn({ typed, person, id, group, stream, time, emoji }, names)
    if (inline.length === 0) return typed
    found.push({ typed, inline })
    return String.fromCodePoint(FIRST + found.length - 1)
  })
  const text = readMarkdown(marked, restoring(found))
  // Code shows what was typed in it.
  return text.map((block) =>
    block.type === 'code' ? { ...block, text: restored(block.text, found) } : restoreCode(block, found),
  )
}

type Found = readonly { typed: string; inline: RichInline[] }[]

function at(char: string): number {
  return (char.codePointAt(0) ?? 0) - FIRST
}

function restored(text: string, found: Found): string {
  return text.replace(/[\u{f0000}-\u{ffffd}]/gu, (char) => found[at(char)]?.typed ?? char)
}

function restoreCode(block: RichText[number], found: Found): RichText[number] {
  if (block.type !== 'line') return block
  const walk = (inlines: readonly RichInline[]): RichInline[] =>
    inlines.map((inline) => {
      if (inline.type === 'code') return { ...inline, text: restored(inline.text, found) }
      return 'children' in inline ? { ...inline, children: walk(inline.children) } : inline
    })
  return { ...block, children: walk(block.children) }
}

function restoring(found: Found): MarkdownNames {
  return {
    // A bare @word names nobody there.
    mention: () => null,
    text: (text) =>
      text.split(/([\u{f0000}-\u{ffffd}])/u).flatMap((part, index) => {
        if (index % 2 === 1) return found[at(part)]?.inline ?? []
        return part === '' ? [] : [plain(part)]
      }),
  }
}

interface Own {
  typed: string
  person?: string
  id?: string
  group?: string
  stream?: string
  time?: string
  emoji?: string
}

function readOwn({ typed, person, id, group, stream, time, emoji }: Own, names: ZulipNames): RichInline[] {
  if (person !== undefined) {
    if (id === undefined && EVERYBODY.has(person)) return [{ type: 'everyone' }]
    return [names.person(id ?? null, person) ?? plain(`@${person}`)]
  }
  if (group !== undefined) return [names.group(group) ?? plain(`@${group}`)]
  if (stream !== undefined) return readStream(stream, names)
  // An unknown name stays as typed: the common table may know it.
  if (emoji !== undefined) return [names.emoji(emoji) ?? []].flat().map(plain)
  return [plain(time === undefined ? typed : readableTime(new Date(time)) || time)]
}

function readStream(target: string, names: ZulipNames): RichInline[] {
  const [name = '', ...topic] = target.replace(/@\d+$/, '').split('>')
  const id = names.stream(name)
  const chat: RichInline = id ? { type: 'chat', id, label: name } : plain(`#${name}`)
  return topic.length > 0 ? [chat, plain(` > ${topic.join('>')}`)] : [chat]
}

const OWN_BLOCK = /^(`{3,}|~{3,})\s*(quote|spoiler)\b\s*(.*)$/

/** Quotes are lines with `>`; a spoiler shows its header and what it hid. */
function blocksAsTyped(source: string): string {
  const lines: string[] = []
  const open: { fence: string; quote: boolean }[] = []
  let code: string | null = null
  for (const line of source.split(/\r?\n/)) {
    const own = code === null ? OWN_BLOCK.exec(line) : null
    const fence = /^(`{3,}|~{3,})\s*(\S*)\s*$/.exec(line)
    if (own) {
      open.push({ fence: own[1] as string, quote: own[2] === 'quote' })
      if (own[2] === 'spoiler' && own[3]) lines.push(`**${own[3]}**`)
    } else if (code === null && fence?.[2] === '' && open.at(-1)?.fence === fence[1]) open.pop()
    else {
      if (fence && code === null) code = fence[1] as string
      else if (fence && fence[1] === code && fence[2] === '') code = null
      lines.push(code === null && open.some(({ quote }) => quote) ? `> ${line}` : line)
    }
  }
  return lines.join('\n')
}
