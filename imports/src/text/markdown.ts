import { type Inline, parseInline } from '@parley/contract'
import { replaceEmojiNames } from './emoji.js'
import { plain, type RichInline, type RichText } from './rich-text.js'

const FENCE = /^\s{0,3}(```|~~~)\s*(\S*)\s*$/
const QUOTE = /^> ?(.*)$/
const HEADING = /^#{1,6} +(.*?)\s*#*$/

/** How a source names people and chats in its Markdown. */
export interface MarkdownNames {
  /** `@name`; null where it names nobody. */
  mention(name: string): RichInline | null
  /** What is recognised in plain text: names of chats and their like. */
  text(text: string): RichInline[]
}

/** Reads Markdown line by line. Lists and tables stay as typed; a fence that nothing closes is text. */
export function readMarkdown(source: string, names: MarkdownNames): RichText {
  const lines = source.split(/\r?\n/)
  const blocks: RichText = []
  // Once nothing closes a fence, nothing closes a later one of its kind.
  const unclosed = new Set<string>()
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] as string
    const fence = FENCE.exec(line)
    const mark = fence?.[1] ?? ''
    const end = fence && !unclosed.has(mark) ? closingFence(lines, index + 1, mark) : -1
    if (fence && end < 0) unclosed.add(mark)
    if (fence && end > 0) {
      blocks.push({ type: 'code', language: fence[2] || null, text: lines.slice(index + 1, end).join('\n') })
      index = end
    } else blocks.push(readLine(line, names))
  }
  return blocks
}

function closingFence(lines: readonly string[], from: number, mark: string): number {
  for (let at = from; at < lines.length; at += 1) if ((lines[at] as string).trim() === mark) return at
  return -1
}

function readLine(line: string, names: MarkdownNames): RichText[number] {
  const heading = HEADING.exec(line)
  if (heading)
    return {
      type: 'line',
      children: [{ type: 'bold', children: convert(parseInline(heading[1] as string), names) }],
    }
  const quote = QUOTE.exec(line)
  const children = convert(parseInline(quote ? (quote[1] as string) : line), names)
  return quote ? { type: 'line', quote: true, children } : { type: 'line', children }
}

function convert(inlines: readonly Inline[], names: MarkdownNames): RichInline[] {
  return inlines.flatMap((inline): RichInline[] => {
    switch (inline.type) {
      case 'text':
        return names.text(replaceEmojiNames(inline.text))
      case 'mention':
        return [names.mention(inline.name) ?? plain(`@${inline.name}`)]
      case 'user':
        return [plain(`<@${inline.user_id}>`)]
      case 'code':
        return [inline]
      case 'link':
        return [{ ...inline, children: convert(inline.children, names) }]
      default:
        return [{ type: inline.type, children: convert(inline.children, names) }]
    }
  })
}
