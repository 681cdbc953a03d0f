import { replaceEmojiNames } from '../text/emoji.js'
import { paragraph, plain, type RichInline, type RichText, readableTime } from '../text/rich-text.js'
import { readTokens, type Token } from '../text/tokens.js'

const FENCE = '```'
const MARKS = { '*': 'bold', _: 'italic', '~': 'strike' } as const
type Mark = keyof typeof MARKS
const WORD = /[\p{L}\p{N}_]/u

/** Three escapes exist; each is decoded once. */
export function unescaped(text: string): string {
  return text.replace(
    /&(amp|lt|gt);/g,
    (_, name: 'amp' | 'lt' | 'gt') => ({ amp: '&', lt: '<', gt: '>' })[name],
  )
}

/** Reads a text of messages and attachments: marks at word edges, tokens in angle brackets, fences anywhere. */
export function readSlackText(source: string): RichText {
  const pieces = source.split(FENCE)
  // An odd number of fences leaves the last one as typed.
  if (pieces.length % 2 === 0) pieces.push(pieces.splice(-2).join(FENCE))
  return pieces.flatMap((piece, index) =>
    index % 2 === 1 ? readFence(piece) : readParagraphs(trimAroundFence(piece, index, pieces.length)),
  )
}

function readFence(piece: string): RichText {
  const text = flatten(readInline(piece, [])).replace(/^\r?\n|\r?\n$/g, '')
  return [{ type: 'code', language: null, text }]
}

/** The line feeds next to a fence belong to it. */
function trimAroundFence(piece: string, index: number, count: number): string {
  const after = index > 0 ? piece.replace(/^\r?\n/, '') : piece
  return index < count - 1 ? after.replace(/\r?\n$/, '') : after
}

function readParagraphs(text: string): RichText {
  if (text === '') return []
  let quoted = false
  return text.split(/\r?\n/).flatMap((line) => {
    if (line.startsWith('&gt;&gt;&gt;')) quoted = true
    const quote = quoted || line.startsWith('&gt;')
    const body = quote ? line.replace(/^(&gt;){1,3} ?/, '') : line
    return paragraph(readInline(body, Object.keys(MARKS) as Mark[]), quote)
  })
}

/** Reads one line. A mark inside its own kind is text, so that nesting has an end. */
function readInline(text: string, marks: readonly Mark[]): RichInline[] {
  const unclosed = new Set<string>()
  return readTokens(
    text,
    (at) => tokenAt(text, at, marks, unclosed),
    (piece) => plain(replaceEmojiNames(unescaped(piece))),
  )
}

function tokenAt(text: string, at: number, marks: readonly Mark[], unclosed: Set<string>): Token | null {
  const char = text[at] as string
  if (char === '<') return bracketAt(text, at, unclosed)
  if (char === '`' && marks.length > 0) return codeAt(text, at, unclosed)
  if (char in MARKS && marks.includes(char as Mark)) return spanAt(text, at, char as Mark, marks, unclosed)
  return null
}

function codeAt(text: string, at: number, unclosed: Set<string>): Token | null {
  if (unclosed.has('`')) return null
  const end = text.indexOf('`', at + 1)
  if (end < 0) unclosed.add('`')
  if (end <= at + 1) return null
  const code = flatten(readInline(text.slice(at + 1, end), []))
  return { inlines: [{ type: 'code', text: code }], end: end + 1 }
}

function spanAt(
  text: string,
  at: number,
  mark: Mark,
  marks: readonly Mark[],
  unclosed: Set<string>,
): Token | null {
  if (unclosed.has(mark) || !opens(text, at)) return null
  const end = closerOf(text, at + 1, mark)
  if (end < 0) {
    unclosed.add(mark)
    return null
  }
  const inner = marks.filter((other) => other !== mark)
  // With no mark left to look for, code is still code.
  const children = readInline(text.slice(at + 1, end), inner)
  return { inlines: [{ type: MARKS[mark], children }], end: end + 1 }
}

function opens(text: string, at: number): boolean {
  const before = text[at - 1]
  const after = text[at + 1]
  if (after === undefined || /\s/.test(after) || after === text[at]) return false
  return before === undefined || (before !== text[at] && !WORD.test(before))
}

function closerOf(text: string, from: number, mark: Mark): number {
  const open = new Set<string>()
  for (let at = from; at < text.length; at += 1) {
    const char = text[at] as string
    if ((char === '<' || char === '`') && !open.has(char)) {
      const end = text.indexOf(char === '<' ? '>' : '`', at + 1)
      if (end > 0) at = end
      else open.add(char)
    } else if (char === mark && at > from && closes(text, at)) return at
  }
  return -1
}

function closes(text: string, at: number): boolean {
  const after = text[at + 1]
  return !/\s/.test(text[at - 1] as string) && (after === undefined || !WORD.test(after))
}

/** `<@U1|name>`, `<#C1|name>`, `<!here>`, `<https://…|label>` and their like. */
function bracketAt(text: string, at: number, unclosed: Set<string>): Token | null {
  if (unclosed.has('<')) return null
  const end = text.indexOf('>', at + 1)
  if (end < 0) {
    unclosed.add('<')
    return null
  }
  const [target = '', ...rest] = text.slice(at + 1, end).split('|')
  const label = rest.length > 0 ? unescaped(rest.join('|')) : null
  const inline = readTarget(target, label)
  return inline ? { inlines: [inline], end: end + 1 } : null
}

function readTarget(target: string, label: string | null): RichInline | null {
  if (target.startsWith('@'))
    return { type: 'person', id: target.slice(1), label: label?.replace(/^@/, '') ?? target.slice(1) }
  if (target.startsWith('#')) return { type: 'chat', id: target.slice(1), label: label ?? target.slice(1) }
  if (target.startsWith('!')) return readCommand(target.slice(1), label)
  const url = unescaped(target)
  if (/^mailto:/i.test(url)) return plain(label ?? url.slice(7))
  if (/^tel:/i.test(url)) return plain(label ?? url.slice(4))
  if (!/^[a-z][a-z0-9+.-]*:/i.test(url)) return null
  return { type: 'link', url, children: [plain(label ?? url)] }
}

function readCommand(command: string, label: string | null): RichInline {
  const [name = '', ...rest] = command.split('^')
  if (name === 'here') return { type: 'present' }
  if (name === 'channel' || name === 'everyone') return { type: 'everyone' }
  if (name === 'subteam') {
    const id = rest[0] ?? ''
    return { type: 'tag', id, label: label?.replace(/^@/, '') ?? id }
  }
  if (name === 'date') return plain(label ?? readableTime(new Date(Number(rest[0]) * 1000)))
  return plain(label ?? `@${name}`)
}

/** The text of inlines without marks. */
export function flatten(inlines: readonly RichInline[]): string {
  return inlines
    .map((inline) => {
      if ('text' in inline) return inline.text
      if ('children' in inline) return inline.type === 'link' ? inline.url : flatten(inline.children)
      if (inline.type === 'everyone') return '@all'
      if (inline.type === 'present') return '@here'
      return inline.type === 'chat' ? `#${inline.label}` : `@${inline.label}`
    })
    .join('')
}
