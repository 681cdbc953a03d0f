import { asObjects, asText, filled, type JsonObject } from '../json.js'
import { paragraph, plain, type RichInline, type RichText } from './rich-text.js'

/** How a source writes its texts and blocks. */
export interface Dialect {
  text(source: string): RichText
  blocks(value: unknown): RichText
}

/** What was attached below a message by bots and by shared messages, as text. Previews of links in the text are dropped. */
export function readAttachments(value: unknown, text: string, dialect: Dialect): RichText {
  return asObjects(value).flatMap((attachment) =>
    isPreview(attachment, text) ? [] : readAttachment(attachment, dialect),
  )
}

function isPreview(attachment: JsonObject, text: string): boolean {
  const from = filled(attachment.from_url) ?? filled(attachment.original_url)
  if (!from || attachment.is_share || attachment.is_msg_unfurl) return false
  return Boolean(attachment.service_name || attachment.is_app_unfurl || text.includes(from))
}

function readAttachment(attachment: JsonObject, dialect: Dialect): RichText {
  const read = (value: unknown) => {
    const text = filled(value)
    return text ? dialect.text(text) : []
  }
  const parts = [
    ...read(attachment.pretext),
    ...readAuthor(attachment),
    ...readTitle(attachment),
    ...read(attachment.text),
    ...asObjects(attachment.fields).flatMap((field) => readField(field, read)),
    ...dialect.blocks(attachment.blocks),
    ...readPicture(attachment),
    ...read(attachment.footer),
  ]
  if (parts.length > 0) return attachment.is_share || attachment.is_msg_unfurl ? quoted(parts) : parts
  return read(attachment.fallback)
}

function quoted(text: RichText): RichText {
  return text.map((block) => (block.type === 'line' ? { ...block, quote: true } : block))
}

function readAuthor(attachment: JsonObject): RichText {
  const name = filled(attachment.author_name)
  return name ? paragraph([{ type: 'bold', children: [plain(name)] }]) : []
}

function readTitle(attachment: JsonObject): RichText {
  const title = filled(attachment.title)
  if (!title) return []
  const url = filled(attachment.title_link)
  const inline: RichInline = url
    ? { type: 'link', url, children: [plain(title)] }
    : { type: 'bold', children: [plain(title)] }
  return paragraph([inline])
}

function readField(field: JsonObject, read: (value: unknown) => RichText): RichText {
  const title = filled(field.title)
  const value = read(asText(field.value))
  if (!title) return value
  const [first, ...rest] = value
  const label: RichInline = { type: 'bold', children: [plain(`${title}:`)] }
  if (first?.type !== 'line') return [...paragraph([label]), ...value]
  return [{ type: 'line', children: [label, plain(' '), ...first.children] }, ...rest]
}

function readPicture(attachment: JsonObject): RichText {
  const url = filled(attachment.image_url) ?? filled(attachment.thumb_url)
  return url ? paragraph([{ type: 'link', url, children: [plain(url)] }]) : []
}
