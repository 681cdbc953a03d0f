import type { RichInline } from './rich-text.js'

/** What a piece of a text means, and where it ends. */
export interface Token {
  inlines: RichInline[]
  end: number
}

/** Goes through a line: what begins with a token is what the token says, everything between is text. */
export function readTokens(
  text: string,
  tokenAt: (at: number) => Token | null,
  textOf: (piece: string) => RichInline,
): RichInline[] {
  const found: RichInline[] = []
  let from = 0
  let at = 0
  const flush = (end: number) => {
    if (end > from) found.push(textOf(text.slice(from, end)))
  }
  while (at < text.length) {
    const token = tokenAt(at)
    if (!token) {
      at += 1
      continue
    }
    flush(at)
    found.push(...token.inlines)
    at = token.end
    from = at
  }
  flush(text.length)
  return found
}
