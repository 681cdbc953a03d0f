/**
 * The text dialect of messages, inbound webhooks and form texts. It is never HTML; what has no syntax stays as typed.
 * A backslash before a mark makes it text.
 */

export type Inline =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'bold' | 'italic' | 'strike'; children: Inline[] }
  | { type: 'link'; url: string; children: Inline[] }
  /** `@name`: a nickname, a tag without its spaces, `all` or `here`. */
  | { type: 'mention'; name: string }
  /** `<@7>`, where the server left it as typed. */
  | { type: 'user'; user_id: number }

export type Block =
  | { type: 'line'; children: Inline[] /** Of somebody else: it began with `>`. */; quoted?: true }
  | { type: 'code'; language: string | null; text: string }

const DEPTH_AT_MOST = 16
const FENCE = /^```(\S*)\s*$/
const HEADING = /^#{1,6} +(.*)$/
const QUOTE = /^> ?(.*)$/
const USER = /^<@(\d{1,15})>/
const NAME = /^@([\p{L}\p{N}_](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_])?)/u
const BARE_LINK = /^https?:\/\/[^\s<>"`]+/i
const WORD = /[\p{L}\p{N}_]/u
const ESCAPABLE = new Set('\\`*_~[]()!<>@#-')

interface Span {
  mark: string
  type: 'bold' | 'italic' | 'strike'
}

const SPANS: readonly Span[] = [
  { mark: '**', type: 'bold' },
  { mark: '__', type: 'bold' },
  { mark: '~~', type: 'strike' },
  { mark: '*', type: 'italic' },
  { mark: '_', type: 'italic' },
]

/** Reads a text into lines and code blocks. */
export function parseText(source: string): Block[] {
  const lines = source.replaceAll('\r\n', '\n').split('\n')
  const blocks: Block[] = []
  // Once no closing fence is left, an opening one further down has none either.
  let fences = true
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] as string
    const fence = fences ? FENCE.exec(line) : null
    if (fence) {
      const end = closingFence(lines, index + 1)
      if (end > 0) {
        blocks.push({
          type: 'code',
          language: fence[1] || null,
          text: lines.slice(index + 1, end).join('\n'),
        })
        index = end
        continue
      }
      fences = false
    }
    blocks.push(parseLine(line))
  }
  return blocks
}

function closingFence(lines: readonly string[], from: number): number {
  for (let at = from; at < lines.length; at += 1) if (lines[at]?.trimEnd() === '```') return at
  return -1
}

function parseLine(line: string): Block {
  const heading = HEADING.exec(line)
  if (heading) return { type: 'line', children: [{ type: 'bold', children: parseInline(heading[1] ?? '') }] }
  const quote = QUOTE.exec(line)
  if (quote) return { type: 'line', children: parseInline(quote[1] ?? ''), quoted: true }
  return { type: 'line', children: parseInline(line) }
}

/** Reads one line: spans, links, code and mentions. */
export function parseInline(text: string, depth = 0): Inline[] {
  const found: Inline[] = []
  const seen: Seen = { unclosed: new Set(), target: undefined }
  let plain = 0
  let at = 0
  while (at < text.length) {
    const token = tokenAt(text, at, depth, seen)
    if (!token) {
      at += text.codePointAt(at)! > 0xffff ? 2 : 1
      continue
    }
    if (at > plain) pushInline(found, textOf(text.slice(plain, at)))
    pushInline(found, token.inline)
    at = token.end
    plain = at
  }
  if (plain < text.length) pushInline(found, textOf(text.slice(plain)))
  return found
}

/** Adds to the text before it, so that an escaped mark does not split a word. */
function pushInline(found: Inline[], inline: Inline) {
  const last = found.at(-1)
  if (inline.type === 'text' && last?.type === 'text') last.text += inline.text
  else found.push(inline)
}

interface Token {
  inline: Inline
  end: number
}

/** What was looked for further on in a line, so that no mark makes the rest of the line be read again. */
interface Seen {
  /** Marks that nothing closes any more. */
  unclosed: Set<string>
  /** The next `](` and the address behind it; `close` is -1 where there is none. */
  target: { close: number; end: number; url: string } | undefined
}

function tokenAt(text: string, at: number, depth: number, seen: Seen): Token | null {
  switch (text[at]) {
    case '\\':
      return escapeAt(text, at) ? { inline: textOf(text.charAt(at + 1)), end: at + 2 } : null
    case '`':
      return codeAt(text, at)
    case '!':
    case '[':
      return linkAt(text, at, depth, seen)
    case '<':
      return userAt(text, at)
    case '@':
      return nameAt(text, at)
    case 'h':
    case 'H':
      return bareLinkAt(text, at)
    case '*':
    case '_':
    case '~':
      return depth < DEPTH_AT_MOST ? spanAt(text, at, depth, seen.unclosed) : null
    default:
      return null
  }
}

function escapeAt(text: string, at: number): boolean {
  return text[at] === '\\' && ESCAPABLE.has(text[at + 1] ?? '')
}

/** Whether the character at `at` was escaped: an odd number of backslashes before it. */
function escaped(text: string, at: number): boolean {
  let start = at
  while (start > 0 && text[start - 1] === '\\') start -= 1
  return (at - start) % 2 === 1
}

function codeAt(text: string, at: number): Token | null {
  const ticks = /^`+/.exec(text.slice(at, at + 8))?.[0] ?? '`'
  const end = text.indexOf(ticks, at + ticks.length)
  if (end <= at + ticks.length) return null
  return { inline: { type: 'code', text: text.slice(at + ticks.length, end) }, end: end + ticks.length }
}

/** `[x](https://…)`; an image is a link with its text. */
function linkAt(text: string, at: number, depth: number, seen: Seen): Token | null {
  const open = text[at] === '!' ? at + 1 : at
  if (text[open] !== '[') return null
  const { close, end, url } = targetAfter(text, open, seen)
  if (close < 0 || url === '') return null
  const label = text.slice(open + 1, close)
  if (label.trim() === '') return null
  const children = depth < DEPTH_AT_MOST ? withoutLinks(parseInline(label, depth + 1)) : [textOf(label)]
  return { inline: { type: 'link', url, children }, end: end + 1 }
}

/** The next `](` and its address, which is empty where it is no link. */
function targetAfter(text: string, open: number, seen: Seen) {
  const known = seen.target
  if (known && (known.close < 0 || known.close >= open)) return known
  let close = text.indexOf('](', open)
  while (close > 0 && escaped(text, close)) close = text.indexOf('](', close + 2)
  const link = close >= 0 && /^https?:/i.test(text.slice(close + 2, close + 8))
  const end = link ? closingParenthesis(text, close + 2) : -1
  const url = end < 0 ? '' : text.slice(close + 2, end).trim()
  seen.target = { close, end, url: /^https?:\/\/\S+$/i.test(url) ? url : '' }
  return seen.target
}

function textOf(text: string): Inline {
  return { type: 'text', text }
}

/** A link holds no link. */
function withoutLinks(inlines: Inline[]): Inline[] {
  return inlines.flatMap((inline) => {
    if (inline.type === 'link') return withoutLinks(inline.children)
    return 'children' in inline ? [{ ...inline, children: withoutLinks(inline.children) }] : [inline]
  })
}

/** What is longer is text. */
const URL_AT_MOST = 2048

function closingParenthesis(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < Math.min(text.length, from + URL_AT_MOST); at += 1) {
    const char = text[at]
    if (char === ' ' || char === '\t') return -1
    if (char === '(') depth += 1
    else if (char === ')') {
      if (depth === 0) return at
      depth -= 1
    }
  }
  return -1
}

function bareLinkAt(text: string, at: number): Token | null {
  if (at > 0 && WORD.test(text.charAt(at - 1))) return null
  const match = BARE_LINK.exec(text.slice(at, at + URL_AT_MOST + 1))
  if (!match || match[0].length > URL_AT_MOST) return null
  const url = trimmedLink(match[0])
  if (!/^https?:\/\/./i.test(url)) return null
  return { inline: { type: 'link', url, children: [textOf(url)] }, end: at + url.length }
}

const TAIL = new Set('.,:;!?\'"*_~»”’')
const OPENER: Record<string, string> = { ')': '(', ']': '[', '}': '{' }

/** The end of a sentence is no part of the link in it, nor is a bracket that was opened before it. */
function trimmedLink(url: string): string {
  const counts = new Map<string, number>()
  for (const char of url) counts.set(char, (counts.get(char) ?? 0) + 1)
  let end = url.length
  for (; end > 0; end -= 1) {
    const char = url.charAt(end - 1)
    const opener = OPENER[char]
    const closers = counts.get(char) ?? 0
    const unopened = opener !== undefined && closers > (counts.get(opener) ?? 0)
    if (unopened) counts.set(char, closers - 1)
    else if (!TAIL.has(char)) break
  }
  return url.slice(0, end)
}

function userAt(text: string, at: number): Token | null {
  const match = USER.exec(text.slice(at, at + 20))
  return match ? { inline: { type: 'user', user_id: Number(match[1]) }, end: at + match[0].length } : null
}

function nameAt(text: string, at: number): Token | null {
  if (at > 0 && WORD.test(text.charAt(at - 1))) return null
  const match = NAME.exec(text.slice(at, at + 300))
  return match ? { inline: { type: 'mention', name: match[1] ?? '' }, end: at + match[0].length } : null
}

function spanAt(text: string, at: number, depth: number, unclosed: Set<string>): Token | null {
  for (const { mark, type } of SPANS) {
    if (!text.startsWith(mark, at) || unclosed.has(mark) || !opens(text, at, mark)) continue
    const end = closerOf(text, at + mark.length, mark)
    if (end < 0) {
      unclosed.add(mark)
      continue
    }
    const children = parseInline(text.slice(at + mark.length, end), depth + 1)
    return { inline: { type, children }, end: end + mark.length }
  }
  return null
}

/**
 * A mark opens before something; underscores, which names are full of, only at the start of a word, and stars not
 * between two word characters, so that `2*3*4` stays as typed.
 */
function opens(text: string, at: number, mark: string): boolean {
  const next = text[at + mark.length]
  if (next === undefined || /\s/.test(next)) return false
  if (at === 0 || mark.startsWith('~') || !WORD.test(text.charAt(at - 1))) return true
  return mark.startsWith('*') && !WORD.test(next)
}

function closerOf(text: string, from: number, mark: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '`') {
      const code = codeAt(text, at)
      if (code) at = code.end - 1
    } else if (escapeAt(text, at)) {
      at += 1
    } else if (text.startsWith(mark, at)) {
      if (closes(text, at, mark, from)) return at
      at += mark.length - 1
    }
  }
  return -1
}

function closes(text: string, at: number, mark: string, from: number): boolean {
  if (at === from || /\s/.test(text.charAt(at - 1))) return false
  const after = text[at + mark.length]
  // One star does not close inside two.
  if (mark.length === 1 && (after === mark || text[at - 1] === mark)) return false
  return !mark.startsWith('_') || after === undefined || !WORD.test(after)
}

export interface Mentions {
  /** After `@`: nicknames, tags without spaces, `all`, `here`. */
  names: string[]
  /** Of `<@id>`. */
  user_ids: number[]
}

function walk(inlines: readonly Inline[], visit: (inline: Inline) => void) {
  for (const inline of inlines) {
    visit(inline)
    if ('children' in inline) walk(inline.children, visit)
  }
}

/** Whom a text mentions; code mentions nobody. */
export function extractMentions(source: string): Mentions {
  if (!source.includes('@')) return { names: [], user_ids: [] }
  const names = new Set<string>()
  const user_ids = new Set<number>()
  for (const block of parseText(source)) {
    if (block.type !== 'line') continue
    walk(block.children, (inline) => {
      if (inline.type === 'mention') names.add(inline.name)
      if (inline.type === 'user') user_ids.add(inline.user_id)
    })
  }
  return { names: [...names], user_ids: [...user_ids] }
}

/** Writes `@nickname` for each `<@id>` that has one. */
export function rewriteUserMentions(source: string, nicknames: ReadonlyMap<number, string>): string {
  return source.replace(/<@(\d{1,15})>/g, (typed, id: string) => {
    const nickname = nicknames.get(Number(id))
    return nickname === undefined ? typed : `@${nickname}`
  })
}

/**
 * The links of a text in order, each once; text in code is no link, nor is what no browser could open or what is
 * longer than a browser would take.
 */
export function extractLinks(source: string): string[] {
  if (!source.includes('://')) return []
  const urls = new Set<string>()
  for (const block of parseText(source)) {
    if (block.type === 'line')
      walk(block.children, (inline) => {
        if (inline.type === 'link') urls.add(inline.url)
      })
  }
  return [...urls].filter((url) => URL.canParse(url))
}
