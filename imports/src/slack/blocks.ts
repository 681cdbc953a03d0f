import { asList, asObject, asObjects, asText, filled, isObject, type JsonObject } from '../json.js'
import { emojiOf } from '../text/emoji.js'
import { type MarkdownNames, readMarkdown } from '../text/markdown.js'
import { isBlank, paragraph, plain, type RichInline, type RichText, readableTime } from '../text/rich-text.js'
import { readSlackText } from './text.js'

/** Blocks of a message. Where a rich text is among them, it is the truth and `text` is a shortened copy. */
export function readBlocks(value: unknown): RichText {
  return asObjects(value).flatMap(readBlock)
}

function readBlock(block: JsonObject): RichText {
  switch (block.type) {
    case 'rich_text':
      return asObjects(block.elements).flatMap(readRichElement)
    case 'section':
      return [...readTextObject(block.text), ...asList(block.fields).flatMap(readTextObject)]
    case 'header':
      return bold(asText(asObject(block.text).text) ?? '')
    case 'context':
      return asObjects(block.elements).flatMap((element) =>
        element.type === 'image' ? readImage(element) : readTextObject(element),
      )
    case 'image':
      return readImage(block)
    case 'markdown':
      return readMarkdown(asText(block.text) ?? '', MARKDOWN)
    case 'divider':
      return paragraph([plain('---')])
    case 'video':
      return readLink(block.video_url ?? block.title_url, asText(asObject(block.title).text))
    case 'table':
      return asList(block.rows).flatMap(readRow)
    case 'call': {
      const { name, join_url } = asObject(asObject(block.call).v1)
      return readLink(join_url, filled(name) ?? 'Call')
    }
    default:
      return []
  }
}

/** A block of Markdown is that of everybody else, and names nobody. */
const MARKDOWN: MarkdownNames = { mention: () => null, text: (text) => [plain(text)] }

function bold(text: string): RichText {
  return text === '' ? [] : paragraph([{ type: 'bold', children: [plain(text)] }])
}

function readTextObject(value: unknown): RichText {
  if (!isObject(value)) return []
  const text = asText(value.text) ?? ''
  if (text === '') return []
  return value.type === 'plain_text' ? paragraph([plain(text)]) : readSlackText(text)
}

function readImage(block: JsonObject): RichText {
  const name = filled(asObject(block.title).text) ?? filled(block.alt_text)
  return readLink(block.image_url, name)
}

function readLink(url: unknown, name: string | null): RichText {
  const address = filled(url)
  if (!address) return name ? paragraph([plain(name)]) : []
  return paragraph([{ type: 'link', url: address, children: [plain(name ?? address)] }])
}

function readRow(row: unknown): RichText {
  const cells = asObjects(row).map((cell) => {
    const text = cell.type === 'raw_text' ? paragraph([plain(asText(cell.text) ?? '')]) : readBlock(cell)
    return text.flatMap((block) => (block.type === 'line' ? block.children : [plain(block.text)]))
  })
  const joined = cells.flatMap((cell, index) => (index === 0 ? cell : [plain(' | '), ...cell]))
  return paragraph(joined)
}

function readRichElement(element: JsonObject): RichText {
  const inlines = () => asObjects(element.elements).flatMap(readRichInline)
  switch (element.type) {
    case 'rich_text_section':
      return dropLastEmpty(paragraph(inlines()))
    case 'rich_text_quote':
      return dropLastEmpty(paragraph(inlines(), true))
    case 'rich_text_preformatted':
      return [{ type: 'code', language: filled(element.language), text: codeOf(element) }]
    case 'rich_text_list':
      return readList(element)
    default:
      return []
  }
}

/** A section ends with a line feed where another element follows. */
function dropLastEmpty(lines: RichText): RichText {
  const last = lines.at(-1)
  return lines.length > 1 && last && isBlank([last]) ? lines.slice(0, -1) : lines
}

function codeOf(element: JsonObject): string {
  const text = asObjects(element.elements).map((part) => asText(part.text) ?? asText(part.url) ?? '')
  return text.join('').replace(/\n$/, '')
}

function readList(list: JsonObject): RichText {
  const indent = '  '.repeat(Math.min(Number(list.indent) || 0, 8))
  const offset = Number(list.offset) || 0
  return asObjects(list.elements).flatMap((item, index) => {
    const mark = list.style === 'ordered' ? `${offset + index + 1}. ` : '• '
    const children = asObjects(item.elements).flatMap(readRichInline)
    return dropLastEmpty(paragraph([plain(indent + mark), ...children], Boolean(list.border)))
  })
}

/** Texts of rich text are not escaped. */
function readRichInline(part: JsonObject): RichInline[] {
  const inline = readPart(part)
  return inline ? [styled(inline, asObject(part.style))] : []
}

function readPart(part: JsonObject): RichInline | null {
  switch (part.type) {
    case 'text':
      return plain(asText(part.text) ?? '')
    case 'link': {
      const url = asText(part.url) ?? ''
      return { type: 'link', url, children: [plain(filled(part.text) ?? url)] }
    }
    case 'user':
      return named('person', part.user_id)
    case 'usergroup':
      return named('tag', part.usergroup_id)
    case 'channel':
      return named('chat', part.channel_id)
    case 'emoji':
      return plain(readEmoji(part))
    case 'broadcast':
      return part.range === 'here' ? { type: 'present' } : { type: 'everyone' }
    case 'date':
      return plain(filled(part.fallback) ?? readableTime(new Date(Number(part.timestamp) * 1000)))
    case 'color':
      return plain(asText(part.value) ?? '')
    case 'team':
      return plain(asText(part.team_id) ?? '')
    default:
      return filled(part.text) ? plain(asText(part.text) as string) : null
  }
}

function named(type: 'person' | 'tag' | 'chat', value: unknown): RichInline | null {
  const id = filled(value)
  return id ? { type, id, label: id } : null
}

/** The code points are given in hex; the name is all that custom ones have. */
function readEmoji(part: JsonObject): string {
  const hex = filled(part.unicode)
  if (hex && /^[0-9a-f]{1,6}(-[0-9a-f]{1,6}){0,9}$/i.test(hex)) {
    const points = hex.split('-').map((point) => Number.parseInt(point, 16))
    if (points.every((point) => point <= 0x10ffff)) return String.fromCodePoint(...points)
  }
  const name = asText(part.name) ?? ''
  return emojiOf(name, Number(part.skin_tone) || 0) ?? `:${name}:`
}

function styled(inline: RichInline, style: JsonObject): RichInline {
  if (style.code && inline.type === 'text') return { type: 'code', text: inline.text }
  let result = inline
  for (const mark of ['strike', 'italic', 'bold'] as const)
    if (style[mark]) result = { type: mark, children: [result] }
  return result
}
