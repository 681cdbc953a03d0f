import { asObjects, asText, filled, type JsonObject } from '../json.js'
import type { ReplyTo } from '../records.js'
import { readAttachments } from '../text/attachments.js'
import { isBlank, paragraph, plain, type RichInline, type RichText } from '../text/rich-text.js'

/** Quotes within quotes, and forwarded ones within those. */
const DEPTH = 5
const MESSAGE = /[?&]msg=([A-Za-z0-9]{1,64})/

interface Around {
  typed: string
  /** What senders wrote below their files, as the uploads keep it. */
  captions: readonly string[]
  read(source: string): RichText
}

/** What is below a message: quotes, captions, and what bots attached. */
export function readQuotes(
  said: RichText,
  message: JsonObject,
  { typed, captions, read }: Around,
): { text: RichText; reply_to?: ReplyTo } {
  const { text, targets } = withoutQuoteLinks(said)
  const attachments = asObjects(message.attachments)
  const files = attachments.filter(isFile)
  const quotes = attachments.filter((attachment) => !isFile(attachment) && isQuote(attachment))
  const others = attachments.filter((attachment) => !isFile(attachment) && !isQuote(attachment))
  const described = files.flatMap(({ description }) => filled(description) ?? [])
  const notes = [...new Set(described.length > 0 ? described : captions)].filter((note) => note !== typed)
  const below = [...notes.flatMap(read), ...readAttachments(others, typed, { text: read, blocks: () => [] })]
  const whole = [...(isBlank(text) ? [] : text), ...below]
  const [first, ...rest] = quotes
  const target = targets[0] ?? MESSAGE.exec(asText(first?.message_link) ?? '')?.[1]
  const further = rest.flatMap((quote) => readQuote(quote, read))
  if (!first) return { text: whole }
  // A forwarded message quotes and says nothing itself: its quote stays.
  if (!target || isBlank(whole)) return { text: [...readQuote(first, read), ...further, ...whole] }
  return { text: [...further, ...whole], reply_to: { id: target, otherwise: readQuote(first, read) } }
}

function isFile(attachment: JsonObject): boolean {
  return attachment.type === 'file' || (asText(attachment.title_link) ?? '').startsWith('/file-upload/')
}

function isQuote(attachment: JsonObject): boolean {
  return filled(attachment.message_link) !== null
}

function readQuote(quote: JsonObject, read: (source: string) => RichText, depth = 0): RichText {
  const author = filled(quote.author_name)
  const inner =
    depth < DEPTH
      ? asObjects(quote.attachments).flatMap((nested) =>
          isQuote(nested) ? readQuote(nested, read, depth + 1) : read(filled(nested.description) ?? ''),
        )
      : []
  const text = withoutQuoteLinks(read(asText(quote.text) ?? '')).text
  const lines = [
    ...(author ? paragraph([{ type: 'bold', children: [plain(author)] }]) : []),
    ...(isBlank(text) ? [] : text),
    ...(isBlank(inner) ? [] : inner),
  ]
  return lines.map((block) => (block.type === 'line' ? { ...block, quote: true } : block))
}

/** A quote begins with a link to the message that shows nothing. */
function withoutQuoteLinks(text: RichText): { text: RichText; targets: string[] } {
  const targets: string[] = []
  const keep = (inline: RichInline): boolean => {
    const id = inline.type === 'link' && showsNothing(inline) ? MESSAGE.exec(inline.url)?.[1] : undefined
    if (id) targets.push(id)
    return id === undefined
  }
  const kept = text.map((block) => {
    if (block.type !== 'line') return block
    const children = block.children.filter(keep)
    return children.length === block.children.length ? block : { ...block, children: trimmed(children) }
  })
  return { text: kept, targets }
}

function showsNothing(link: Extract<RichInline, { type: 'link' }>): boolean {
  return link.children.every((child) => child.type === 'text' && child.text.trim() === '')
}

function trimmed([first, ...rest]: RichInline[]): RichInline[] {
  if (first?.type !== 'text') return first ? [first, ...rest] : []
  const text = first.text.trimStart()
  return text === '' ? rest : [{ ...first, text }, ...rest]
}
