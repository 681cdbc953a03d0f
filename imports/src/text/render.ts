import { type Inline, parseText } from '@parley/contract'
import type { RichBlock, RichInline, RichText } from './rich-text.js'

/** How those whom a text names are called here. */
export interface Names {
  /** A person by the id of the source: a nickname, or the text for somebody who is gone. */
  person(id: string): { nickname: string } | { text: string } | undefined
  chat(id: string): string | undefined
  /** A tag as it is mentioned: without spaces. */
  tag(id: string): string | undefined
}

export interface Rendered {
  /** One text, or several where it is longer than a message may be. */
  parts: string[]
  /** Lines whose marks could not be written in our dialect and are plain text. */
  flattened: number
}

/** Longest text of a message, in bytes of UTF-8. */
export const TEXT_BYTES = 40_000

/** Writes a text in the dialect of messages, and reads it back to see that it says what was meant. */
export function renderText(blocks: RichText, names: Names, limit = TEXT_BYTES): Rendered {
  let flattened = 0
  const written = blocks.map((block) => {
    const { text, flat } = renderBlock(block, names)
    if (flat) flattened += 1
    return { text, code: block.type === 'code' ? block : undefined }
  })
  return { parts: splitBlocks(written, limit), flattened }
}

interface Written {
  text: string
  code: Extract<RichBlock, { type: 'code' }> | undefined
}

function renderBlock(block: RichBlock, names: Names): { text: string; flat: boolean } {
  if (block.type === 'code') return renderFence(block)
  const inlines = resolve(block.children, names)
  const prefix = block.quote ? '> ' : ''
  const wanted = JSON.stringify(runsOf(inlines))
  for (const spelling of SPELLINGS) {
    const body = inlines.map((inline) => writeInline(inline, spelling)).join('')
    const text = prefix + (spelling.escape ? escapeStart(body) : body)
    if (text.includes('\n') || startsFence(text)) continue
    const read = parseText(text)[0]
    if (read?.type === 'line' && JSON.stringify(runsOf(read.children)) === wanted)
      return { text, flat: false }
  }
  return { text: prefix + escapeLine(contentOf(inlines)), flat: true }
}

function startsFence(text: string) {
  return text.startsWith('```')
}

/** A fence inside the code would end it; such code is written line by line as inline code. */
function renderFence({ language, text }: Extract<RichBlock, { type: 'code' }>) {
  const label = language && /^\S+$/.test(language) ? language : ''
  const lines = text.split('\n')
  if (!lines.some((line) => line.trimEnd() === '```'))
    return { text: `\`\`\`${label}\n${text}\n\`\`\``, flat: false }
  return { text: lines.map((line) => escapeLine(line)).join('\n'), flat: true }
}

/** Gives every name its spelling here; unknown names stay as text. */
function resolve(inlines: readonly RichInline[], names: Names): Inline[] {
  return inlines.flatMap((inline): Inline[] => {
    switch (inline.type) {
      case 'text':
      case 'code':
        return inline.text === '' ? [] : [inline]
      case 'person':
        return personOf(names.person(inline.id), inline.label)
      case 'tag':
        return mention(names.tag(inline.id), `@${inline.label}`)
      case 'chat':
        return [{ type: 'text', text: `#${names.chat(inline.id) ?? inline.label}` }]
      case 'everyone':
        return [{ type: 'mention', name: 'all' }]
      case 'present':
        return [{ type: 'mention', name: 'here' }]
      case 'link':
        return [resolveLink(inline, names)]
      default:
        return wrapTrimmed(inline.type, resolve(inline.children, names))
    }
  })
}

function personOf(person: ReturnType<Names['person']>, label: string): Inline[] {
  if (person && 'nickname' in person) return mention(person.nickname, label)
  return mention(undefined, `@${person?.text ?? label}`)
}

function mention(name: string | undefined, label: string): Inline[] {
  return [name === undefined ? { type: 'text', text: label } : { type: 'mention', name }]
}

function resolveLink({ url, children }: Extract<RichInline, { type: 'link' }>, names: Names): Inline {
  const label = resolve(children, names)
  const shown = contentOf(label)
  if (!/^https?:\/\/\S+$/i.test(url))
    return { type: 'text', text: shown === '' || shown === url ? url : `${shown} (${url})` }
  return { type: 'link', url, children: shown.trim() === '' ? [{ type: 'text', text: url }] : label }
}

/** Marks close and open at something that is not blank, so that blanks move outside of them. */
function wrapTrimmed(type: 'bold' | 'italic' | 'strike', children: Inline[]): Inline[] {
  const [before, inner, after] = trim(children)
  const wrapped: Inline[] = inner.length > 0 ? [{ type, children: inner }] : []
  return [...textIf(before), ...wrapped, ...textIf(after)]
}

function trim(children: Inline[]): [string, Inline[], string] {
  let before = ''
  let after = ''
  const inner = [...children]
  while (inner[0]?.type === 'text') {
    const { text } = inner[0]
    before += text.slice(0, text.length - text.trimStart().length)
    if (text.trim() !== '') {
      inner[0] = { type: 'text', text: text.trimStart() }
      break
    }
    inner.shift()
  }
  for (let last = inner.at(-1); last?.type === 'text'; last = inner.at(-1)) {
    const { text } = last
    after = text.slice(text.trimEnd().length) + after
    inner.pop()
    if (text.trim() === '') continue
    inner.push({ type: 'text', text: text.trimEnd() })
    break
  }
  return [before, inner, after]
}

function textIf(text: string): Inline[] {
  return text === '' ? [] : [{ type: 'text', text }]
}

interface Spelling {
  escape: boolean
  /** Put where a mark is between letters: counts as a blank and is invisible. */
  gap: string
}

const GAP = '\ufeff'
/** From the plainest: most texts need no escapes. */
const SPELLINGS: readonly Spelling[] = [
  { escape: false, gap: '' },
  { escape: true, gap: '' },
  { escape: true, gap: GAP },
]

function writeInline(inline: Inline, spelling: Spelling, inside = ''): string {
  switch (inline.type) {
    case 'text':
      return spelling.escape ? escapeText(inline.text) : inline.text
    case 'code':
      return writeCode(inline.text)
    case 'mention':
      return `@${inline.name}`
    case 'user':
      return `<@${inline.user_id}>`
    case 'link':
      return writeLink(inline, spelling)
    default: {
      const mark = markOf(inline.type, inside)
      const text = inline.children.map((child) => writeInline(child, spelling, inside + mark)).join('')
      return `${spelling.gap}${mark}${text}${mark}${spelling.gap}`
    }
  }
}

/** Bold in italic and the other way round use the other letter, since three stars in a row read as one mark. */
function markOf(type: 'bold' | 'italic' | 'strike', inside: string): string {
  if (type === 'strike') return '~~'
  const mark = type === 'bold' ? '**' : '*'
  return inside.includes('*') ? mark.replaceAll('*', '_') : mark
}

function writeCode(text: string): string {
  for (let count = 1; count <= 8; count += 1) {
    const ticks = '`'.repeat(count)
    if (!text.includes(ticks) && !text.startsWith('`') && !text.endsWith('`'))
      return `${ticks}${text}${ticks}`
  }
  return escapeText(text)
}

function writeLink({ url, children }: Extract<Inline, { type: 'link' }>, spelling: Spelling): string {
  const label = children.map((child) => writeInline(child, spelling)).join('')
  if (contentOf(children) === url) return url
  return `[${label}](${url})`
}

const ADDRESS = /(https?:\/\/[^\s<>"`]+)/i

/** Marks of an address are part of it. */
function escapeText(text: string): string {
  return text
    .split(ADDRESS)
    .map((piece, index) => (index % 2 === 1 ? piece : piece.replace(/[\\`*_~[\]<@]/g, '\\$&')))
    .join('')
}

/** A line that begins like a heading or a quote is none when its first character is escaped. */
function escapeStart(text: string): string {
  return /^(#{1,6} |>)/.test(text) ? `\\${text}` : text
}

function escapeLine(text: string): string {
  return escapeStart(escapeText(text))
}

interface Run {
  text: string
  marks: string
}

/** The text with the marks on each stretch of it. An address without a label is the same with and without a link. */
function runsOf(inlines: readonly Inline[], marks = ''): Run[] {
  const runs: Run[] = []
  const add = (run: Run) => {
    const last = runs.at(-1)
    if (last && last.marks === run.marks) last.text += run.text
    else if (run.text !== '') runs.push({ ...run })
  }
  for (const inline of inlines) {
    if (inline.type === 'link' && contentOf(inline.children) === inline.url) add({ text: inline.url, marks })
    else if (inline.type === 'link') runsOf(inline.children, `${marks} ${inline.url}`).forEach(add)
    else if ('children' in inline) {
      const sorted = [...new Set([...marks.split(' '), inline.type])].sort().join(' ').trim()
      runsOf(inline.children, sorted).forEach(add)
    } else if (inline.type === 'code') add({ text: inline.text, marks: `${marks} code` })
    else if (inline.type === 'mention') add({ text: `@${inline.name}`, marks: `${marks} mention` })
    else if (inline.type === 'user') add({ text: `<@${inline.user_id}>`, marks })
    else add({ text: inline.text.replaceAll(GAP, ''), marks })
  }
  return runs
}

function contentOf(inlines: readonly Inline[]): string {
  return inlines
    .map((inline) => {
      if ('children' in inline) return contentOf(inline.children)
      if (inline.type === 'mention') return `@${inline.name}`
      return inline.type === 'user' ? `<@${inline.user_id}>` : inline.text
    })
    .join('')
}

/** Fills messages block by block; a block that is longer than a message goes on in the next one. */
function splitBlocks(blocks: readonly Written[], limit: number): string[] {
  const parts: string[] = []
  let open: string[] = []
  let bytes = 0
  const close = () => {
    if (open.length > 0) parts.push(open.join('\n'))
    open = []
    bytes = 0
  }
  for (const piece of blocks.flatMap((block) => cutBlock(block, limit))) {
    const size = Buffer.byteLength(piece) + 1
    if (bytes + size > limit) close()
    open.push(piece)
    bytes += size
  }
  close()
  return parts
}

function cutBlock({ text, code }: Written, limit: number): string[] {
  if (Buffer.byteLength(text) < limit) return [text]
  if (!code) return cutLine(text, limit - 1)
  const fence = `\`\`\`${code.language ?? ''}`
  const room = limit - Buffer.byteLength(fence) - 8
  const bodies: string[] = []
  let open = ''
  for (const line of code.text.split('\n').flatMap((long) => cutLine(long, room))) {
    if (open !== '' && Buffer.byteLength(open) + Buffer.byteLength(line) + 1 > room) {
      bodies.push(open)
      open = line
    } else open = open === '' ? line : `${open}\n${line}`
  }
  bodies.push(open)
  return bodies.map((body) => `${fence}\n${body}\n\`\`\``)
}

/** Cuts after a blank where there is one in the last tenth, else between characters. */
function cutLine(line: string, limit: number): string[] {
  if (Buffer.byteLength(line) <= limit) return [line]
  const pieces: string[] = []
  let rest = line
  while (Buffer.byteLength(rest) > limit) {
    let end = fitting(rest, limit)
    const blank = rest.lastIndexOf(' ', end)
    if (blank > end * 0.9) end = blank + 1
    pieces.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  if (rest !== '') pieces.push(rest)
  return pieces
}

function fitting(text: string, limit: number): number {
  let bytes = 0
  let at = 0
  for (const char of text) {
    bytes += Buffer.byteLength(char)
    if (bytes > limit) break
    at += char.length
  }
  return at
}
