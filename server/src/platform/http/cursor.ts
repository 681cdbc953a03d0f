import { createHmac, timingSafeEqual } from 'node:crypto'
import { Problem } from '../problem.js'

/** What a cursor says: which list, which way, which order, and where; `at` is null at the place of an empty list. */
export interface Position {
  list: string
  back: boolean
  sort: string
  order: 'asc' | 'desc'
  at: { value: string | number | null; id: string | number } | null
  /** The anchor row itself belongs to the page. */
  inclusive?: boolean
}

const MAC_BYTES = 9

function mac(secret: Buffer, text: string): Buffer {
  return createHmac('sha256', secret).update(text).digest().subarray(0, MAC_BYTES)
}

/** An opaque, signed cursor: URL-safe base64, self-contained, without an end of life. */
export function sealCursor(secret: Buffer, position: Position): string {
  const { list, back, sort, order, at, inclusive } = position
  const text = JSON.stringify([
    list,
    back ? 1 : 0,
    sort,
    order,
    at ? [at.value, at.id] : null,
    inclusive ? 1 : 0,
  ])
  return Buffer.concat([mac(secret, text), Buffer.from(text)]).toString('base64url')
}

/** What the cursor of this very list says; anything else is 400. */
export function openCursor(secret: Buffer, list: string, cursor: string): Position {
  const refused = () =>
    new Problem(400, 'invalid', {
      key: 'cursor',
      value: cursor.slice(0, 500),
      message: 'must be next_page or prev_page of an answer to this very call',
    })
  if (!/^[\w-]{13,2000}$/.test(cursor)) throw refused()
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.toString('base64url') !== cursor) throw refused()
  const text = bytes.subarray(MAC_BYTES).toString()
  const given = bytes.subarray(0, MAC_BYTES)
  if (given.length !== MAC_BYTES || !timingSafeEqual(given, mac(secret, text))) throw refused()
  const [name, back, sort, order, at, inclusive] = JSON.parse(text)
  if (name !== list) throw refused()
  const anchor = at ? { value: at[0], id: at[1] } : null
  return { list, back: back === 1, sort, order, at: anchor, inclusive: inclusive === 1 }
}
