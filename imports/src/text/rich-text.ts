/** A text as its source meant it, before people and chats have their names here. */
export type RichInline =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'bold' | 'italic' | 'strike'; children: RichInline[] }
  | { type: 'link'; url: string; children: RichInline[] }
  /** A person by the id of the source; the label is used where nobody has the id. */
  | { type: 'person'; id: string; label: string }
  | { type: 'chat'; id: string; label: string }
  | { type: 'tag'; id: string; label: string }
  | { type: 'everyone' }
  | { type: 'present' }

export type RichBlock =
  | { type: 'line'; quote?: boolean; children: RichInline[] }
  | { type: 'code'; language: string | null; text: string }

export type RichText = RichBlock[]

export const plain = (text: string): RichInline => ({ type: 'text', text })

/** A text of one or more lines without any marks. */
export function plainText(text: string): RichText {
  return text.split(/\r?\n/).map((line) => ({ type: 'line', children: line === '' ? [] : [plain(line)] }))
}

/** Breaks inlines at line feeds; a mark over several lines is repeated on each. */
export function toLines(inlines: readonly RichInline[]): RichInline[][] {
  const lines: RichInline[][] = [[]]
  const add = (inline: RichInline) => (lines.at(-1) as RichInline[]).push(inline)
  for (const inline of inlines) {
    if (inline.type === 'text' || inline.type === 'code') {
      inline.text.split(/\r?\n/).forEach((text, index) => {
        if (index > 0) lines.push([])
        if (text !== '') add({ ...inline, text })
      })
    } else if ('children' in inline) {
      toLines(inline.children).forEach((children, index) => {
        if (index > 0) lines.push([])
        if (children.length > 0) add({ ...inline, children })
      })
    } else add(inline)
  }
  return lines
}

/** Lines of one paragraph. */
export function paragraph(inlines: readonly RichInline[], quote = false): RichText {
  return toLines(inlines).map((children) => ({ type: 'line', ...(quote && { quote }), children }))
}

/** Whether a text shows nothing. */
export function isBlank(blocks: RichText): boolean {
  return blocks.every((block) => block.type === 'line' && block.children.every(isBlankInline))
}

function isBlankInline(inline: RichInline): boolean {
  if (inline.type === 'text') return inline.text.trim() === ''
  return 'children' in inline && inline.type !== 'link' && inline.children.every(isBlankInline)
}

/** What somebody does rather than says: every line in italics. */
export function inItalics(text: RichText): RichText {
  return text.map((block) =>
    block.type === 'line' ? { ...block, children: [{ type: 'italic', children: block.children }] } : block,
  )
}

/** A time that a text names, for those who read it; empty where it is none. */
export function readableTime(time: Date): string {
  return Number.isNaN(time.getTime()) ? '' : time.toISOString().replace('T', ' ').slice(0, 16)
}
