/** A part of a text that is or is not what was looked for. */
export interface Piece {
  text: string
  hit: boolean
}

const SHOWN_BEFORE = 60
const SHOWN_AT_MOST = 280

/** The server finds words by their stem; the mark goes on words that begin alike. */
function stemsOf(query: string): string[] {
  const words = query.toLocaleLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map((word) => word.slice(0, Math.max(3, word.length - 2)))
}

/** A text cut around the first word that was looked for, with all such words apart. */
export function markHits(text: string, query: string): Piece[] {
  const stems = stemsOf(query)
  const isHit = (word: string) => stems.some((stem) => word.toLocaleLowerCase().startsWith(stem))
  const first = [...text.matchAll(/[\p{L}\p{N}]+/gu)].find(([word]) => isHit(word))?.index ?? 0
  const from = first > SHOWN_BEFORE * 2 ? text.indexOf(' ', first - SHOWN_BEFORE) + 1 : 0
  const shown = text.slice(from, from + SHOWN_AT_MOST)
  const cut = `${from > 0 ? '…' : ''}${shown}${from + SHOWN_AT_MOST < text.length ? '…' : ''}`
  const pieces: Piece[] = []
  for (const [part] of cut.matchAll(/[\p{L}\p{N}]+|[^\p{L}\p{N}]+/gu)) {
    const hit = isHit(part)
    const last = pieces.at(-1)
    if (last && last.hit === hit) last.text += part
    else pieces.push({ text: part, hit })
  }
  return pieces
}
