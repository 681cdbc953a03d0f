import { asList, asObject, asObjects, asText, filled, isObject, type JsonObject } from '../json.js'
import { emojiOf } from '../text/emoji.js'
import { paragraph, plain, type RichInline, type RichText, readableTime } from '../text/rich-text.js'
import type { RocketNames } from './text.js'

/** Deeper trees are damaged or meant to harm. */
const DEPTH = 32

const SPANS = new Map<string, 'bold' | 'italic' | 'strike'>([
  ['BOLD', 'bold'],
  ['ITALIC', 'italic'],
  ['STRIKE', 'strike'],
])

/** Reads the tree that new versions keep of a message; null where there is none that can be read. */
export function readTree(md: unknown, names: RocketNames): RichText | null {
  if (!Array.isArray(md) || md.length === 0 || isDeep(md)) return null
  return md.flatMap((block) => (isObject(block) ? readBlock(block, names) : []))
}

function isDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth > DEPTH * 2 || Object.values(value).some((child) => isDeep(child, depth + 1))
}

function readBlock(block: JsonObject, names: RocketNames): RichText {
  const inlines = (value: unknown) => readInlines(value, names)
  switch (block.type) {
    case 'HEADING':
      return paragraph([{ type: 'bold', children: inlines(block.value) }])
    case 'UNORDERED_LIST':
      return items(block.value, () => '- ', names)
    case 'ORDERED_LIST':
      return items(block.value, (item, index) => `${asText(item.number) ?? index + 1}. `, names)
    case 'TASKS':
      return items(block.value, (item) => (item.status === true ? '- [x] ' : '- [ ] '), names)
    case 'QUOTE':
      return quoted(asObjects(block.value).flatMap((child) => readBlock(child, names)))
    case 'SPOILER_BLOCK':
      return asObjects(block.value).flatMap((child) => readBlock(child, names))
    case 'CODE':
      return [
        {
          type: 'code',
          language: filled(block.language) === 'none' ? null : filled(block.language),
          text: asObjects(block.value)
            .map((line) => asText(asObject(line.value).value) ?? '')
            .join('\n'),
        },
      ]
    case 'LINE_BREAK':
      return [{ type: 'line', children: [] }]
    case 'KATEX':
      return paragraph([plain(`\\[${asText(block.value) ?? ''}\\]`)])
    default:
      // PARAGRAPH, BIG_EMOJI, and what later versions add.
      return paragraph(inlines(block.value))
  }
}

function items(
  value: unknown,
  bullet: (item: JsonObject, index: number) => string,
  names: RocketNames,
): RichText {
  return asObjects(value).flatMap((item, index) =>
    paragraph([plain(bullet(item, index)), ...readInlines(item.value, names)]),
  )
}

function quoted(text: RichText): RichText {
  return text.map((block) => (block.type === 'line' ? { ...block, quote: true } : block))
}

function readInlines(value: unknown, names: RocketNames): RichInline[] {
  if (isObject(value)) return readInline(value, names)
  return asList(value).flatMap((inline) => (isObject(inline) ? readInline(inline, names) : []))
}

function readInline(inline: JsonObject, names: RocketNames): RichInline[] {
  const type = asText(inline.type) ?? ''
  const span = SPANS.get(type)
  if (span) return [{ type: span, children: readInlines(inline.value, names) }]
  const text = asText(inline.value) ?? asText(asObject(inline.value).value) ?? ''
  switch (type) {
    case 'INLINE_CODE':
      return [{ type: 'code', text }]
    case 'LINK':
    case 'IMAGE':
      return readLink(asObject(inline.value), names)
    case 'MENTION_USER':
      return [names.user(text) ?? plain(`@${text}`)]
    case 'MENTION_CHANNEL':
      return [names.room(text) ?? plain(`#${text}`)]
    case 'EMOJI': {
      const code = asText(inline.shortCode) ?? text.replaceAll(':', '')
      return [plain(asText(inline.unicode) ?? emojiOf(code) ?? `:${code}:`)]
    }
    case 'INLINE_KATEX':
      return [plain(`$${text}$`)]
    case 'TIMESTAMP': {
      const seconds = Number(asObject(inline.value).timestamp)
      return [plain(readableTime(new Date(seconds * 1000)))]
    }
    case 'COLOR': {
      const { r, g, b } = asObject(inline.value)
      return [plain(`color:rgb(${Number(r)}, ${Number(g)}, ${Number(b)})`)]
    }
    default:
      return Array.isArray(inline.value) ? readInlines(inline.value, names) : text === '' ? [] : [plain(text)]
  }
}

function readLink(value: JsonObject, names: RocketNames): RichInline[] {
  const src = asText(asObject(value.src).value) ?? ''
  const label = readInlines(value.label, names)
  const url = src.startsWith('//') ? `https:${src}` : src
  if (!/^https?:\/\//i.test(url)) return label.length > 0 ? label : [plain(src)]
  return [{ type: 'link', url, children: label.length > 0 ? label : [plain(url)] }]
}
