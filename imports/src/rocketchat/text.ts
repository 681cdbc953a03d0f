import { replaceEmojiNames } from '../text/emoji.js'
import { paragraph, plain, type RichInline, type RichText } from '../text/rich-text.js'
import { readTokens, type Token } from '../text/tokens.js'

/** Whom and what the names in a message stand for. */
export interface RocketNames {
  user(name: string): RichInline | null
  room(name: string): RichInline | null
}

const FENCE = '```'
const MARKS = { '*': 'bold', _: 'italic', '~': 'strike' } as const
type Mark = keyof typeof MARKS
const ALL = Object.keys(MARKS) as Mark[]
const WORD = /[\p{L}\p{N}_]/u
const NAME = /[@#]([\p{L}\p{N}_](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_])?)/uy
const LABELLED = /!?\[([^\]\n]{0,500})\]\(([^)\s]{1,2000})\)/y
const BRACKETED = /<(https?:\/\/[^|>\s]{1,2000})(?:\|([^>\n]{0,500}))?>/y
const BARE = /https?:\/\/[^\s<>"`]+/iy

/**
 * Reads a message as it was typed. Both Markdowns occur: one mark or two mean the same, and two underscores are italic.
 * Lists, tables, spoilers and formulas stay as typed.
 */
export function readRocketText(source: string, names: RocketNames): RichText {
  const lines = source.split(/\r?\n/)
  const blocks: RichText = []
  let unclosed = false
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] as string
    const fence = unclosed ? null : openingFence(line)
    const end = fence ? closingFence(lines, index + 1) : -1
    if (fence && end < 0) unclosed = true
    if (fence && end > 0) {
      if (fence.before) blocks.push(...readLine(fence.before, names))
      const last = (lines[end] as string).trimEnd().slice(0, -FENCE.length)
      const code = [...lines.slice(index + 1, end), ...(last.trim() === '' ? [] : [last])]
      blocks.push({ type: 'code', language: fence.language || null, text: code.join('\n') })
      index = end
    } else blocks.push(...readLine(line, names))
  }
  return blocks
}

/** A fence with nothing but a language behind it, and the text before it. */
function openingFence(line: string): { before: string; language: string } | null {
  const at = line.lastIndexOf(FENCE)
  const language = line.slice(at + FENCE.length).trim()
  return at < 0 || /\s/.test(language) ? null : { before: line.slice(0, at).trimEnd(), language }
}

/** The fence that ends a block, alone on its line or behind its last one. */
function closingFence(lines: readonly string[], from: number): number {
  for (let at = from; at < lines.length; at += 1)
    if ((lines[at] as string).trimEnd().endsWith(FENCE)) return at
  return -1
}

function readLine(line: string, names: RocketNames): RichText {
  const heading = /^#{1,6} +(.*)$/.exec(line)
  if (heading) return paragraph([{ type: 'bold', children: readInline(heading[1] as string, ALL, names) }])
  const quote = /^> ?(.*)$/.exec(line)
  return paragraph(readInline(quote ? (quote[1] as string) : line, ALL, names), quote !== null)
}

/** Reads one line. A mark inside its own kind is text, so that nesting has an end. */
function readInline(text: string, marks: readonly Mark[], names: RocketNames): RichInline[] {
  const unclosed = new Set<string>()
  return readTokens(
    text,
    (at) => tokenAt(text, at, marks, unclosed, names),
    (piece) => plain(replaceEmojiNames(piece)),
  )
}

function tokenAt(
  text: string,
  at: number,
  marks: readonly Mark[],
  unclosed: Set<string>,
  names: RocketNames,
): Token | null {
  const char = text[at] as string
  if (char === '`') return codeAt(text, at, unclosed)
  if (char === '[' || char === '!' || char === '<' || char === 'h' || char === 'H')
    return linkAt(text, at, unclosed)
  if (char === '@' || char === '#') return nameAt(text, at, names)
  if (marks.includes(char as Mark)) return spanAt(text, at, char as Mark, marks, unclosed, names)
  return null
}

function codeAt(text: string, at: number, unclosed: Set<string>): Token | null {
  if (unclosed.has('`')) return null
  const end = text.indexOf('`', at + 1)
  if (end < 0) unclosed.add('`')
  if (end <= at + 1) return null
  return { inlines: [{ type: 'code', text: text.slice(at + 1, end) }], end: end + 1 }
}

function linkAt(text: string, at: number, unclosed: Set<string>): Token | null {
  const char = text[at] as string
  if (char === '<' ? unclosed.has('>') : char !== 'h' && char !== 'H' && unclosed.has(']')) return null
  const pattern = char === '<' ? BRACKETED : char === 'h' || char === 'H' ? BARE : LABELLED
  if (pattern === BARE && WORD.test(text[at - 1] ?? ' ')) return null
  pattern.lastIndex = at
  const match = pattern.exec(text)
  if (!match) {
    // Without a closing bracket ahead no later one is closed either.
    if (char === '<' && !text.includes('>', at)) unclosed.add('>')
    if (char === '[' && !text.includes(']', at)) unclosed.add(']')
    return null
  }
  const end = at + match[0].length
  if (pattern === BARE) return { inlines: [plain(match[0])], end }
  const [label, url] = pattern === BRACKETED ? [match[2], match[1] as string] : [match[1], match[2] as string]
  if (!/^https?:\/\//i.test(url)) return null
  return { inlines: [{ type: 'link', url, children: [plain(label || url)] }], end }
}

function nameAt(text: string, at: number, names: RocketNames): Token | null {
  if (WORD.test(text[at - 1] ?? ' ')) return null
  NAME.lastIndex = at
  const name = NAME.exec(text)?.[1]
  const inline = name && (text[at] === '@' ? names.user(name) : names.room(name))
  return inline ? { inlines: [inline], end: at + 1 + name.length } : null
}

function spanAt(
  text: string,
  at: number,
  mark: Mark,
  marks: readonly Mark[],
  unclosed: Set<string>,
  names: RocketNames,
): Token | null {
  const size = runAt(text, at)
  const run = mark.repeat(size)
  if (size > 2) return { inlines: [plain(run)], end: at + size }
  if (unclosed.has(run) || !opens(text, at, size)) return null
  const end = closerOf(text, at + size, mark, size)
  if (end < 0) {
    unclosed.add(run)
    return null
  }
  const inner = marks.filter((other) => other !== mark)
  const children = readInline(text.slice(at + size, end), inner, names)
  return { inlines: [{ type: MARKS[mark], children }], end: end + size }
}

function runAt(text: string, at: number): number {
  let size = 1
  while (text[at + size] === text[at]) size += 1
  return size
}

function opens(text: string, at: number, size: number): boolean {
  const [before, after] = [text[at - 1], text[at + size]]
  if (after === undefined || /\s/.test(after)) return false
  return before === undefined || (before !== text[at] && !WORD.test(before))
}

function closerOf(text: string, from: number, mark: Mark, size: number): number {
  let code = true
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '`' && code) {
      const end = text.indexOf('`', at + 1)
      if (end > 0) at = end
      else code = false
    } else if (text[at] === mark) {
      const run = runAt(text, at)
      const after = text[at + run]
      const closes = !/\s/.test(text[at - 1] as string) && (after === undefined || !WORD.test(after))
      if (run === size && at > from && closes) return at
      at += run - 1
    }
  }
  return -1
}
