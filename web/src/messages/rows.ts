import type { TimelineMessage } from '@parley/contract'
import type { Waiting } from '../platform/outbox.js'

/** What a timeline draws, one below the other. */
export type Row =
  | { kind: 'start'; key: string }
  | { kind: 'day'; key: string; at: string }
  | { kind: 'new'; key: string }
  | { kind: 'system'; key: string; message: TimelineMessage }
  | { kind: 'message'; key: string; message: TimelineMessage; first: boolean }
  | { kind: 'waiting'; key: string; entry: Waiting; first: boolean }

export interface RowsOf {
  messages: readonly TimelineMessage[]
  has_older: boolean
  has_newer: boolean
  /** The line `New` is above the first message of others after this one; null for none. */
  new_after: number | null
  waiting: readonly Waiting[]
  me: number
  dayOf(at: string): string
}

/** Messages of one author within this time are grouped under one name. */
const TOGETHER_MS = 5 * 60_000

function belongsTo(message: TimelineMessage, before: TimelineMessage | undefined): boolean {
  if (!before || before.system || before.deleted_at || before.user_id !== message.user_id) return false
  if (
    message.parent_message_id !== null ||
    message.forwarding ||
    message.display_name !== before.display_name
  )
    return false
  return Date.parse(message.created_at) - Date.parse(before.created_at) < TOGETHER_MS
}

export function rowsOf({ messages, has_older, has_newer, new_after, waiting, me, dayOf }: RowsOf): Row[] {
  const rows: Row[] = has_older ? [] : [{ kind: 'start', key: 'start' }]
  let before: TimelineMessage | undefined
  let day = ''
  let minute = ''
  let marked = new_after === null
  for (const message of messages) {
    // Messages of one minute are of one day, and asking for the day is the dearest part of this loop.
    const same = message.created_at.slice(0, 16) === minute
    minute = message.created_at.slice(0, 16)
    const today = same ? day : dayOf(message.created_at)
    if (today !== day) {
      rows.push({ kind: 'day', key: `day-${today}`, at: message.created_at })
      before = undefined
      day = today
    }
    if (!marked && message.id > (new_after as number) && message.user_id !== me && !message.system) {
      rows.push({ kind: 'new', key: 'new' })
      marked = true
      before = undefined
    }
    const key = `m${message.id}`
    if (message.system) rows.push({ kind: 'system', key, message })
    else rows.push({ kind: 'message', key, message, first: !belongsTo(message, before) })
    before = message
  }
  // Messages being sent are below the newest; while those are not shown they have no place.
  if (!has_newer)
    waiting.forEach((entry, index) => {
      const first = index === 0 && (before?.user_id !== me || before.system)
      rows.push({ kind: 'waiting', key: `w${entry.key}`, entry, first })
    })
  return rows
}

/** The rows of now, each the object of before where it shows the same: those are not drawn again. */
export function keepRows(before: readonly Row[], now: readonly Row[]): Row[] {
  const known = new Map(before.map((row) => [row.key, row]))
  return now.map((row) => {
    const kept = known.get(row.key)
    return kept && showsSame(kept, row) ? kept : row
  })
}

function showsSame(one: Row, other: Row): boolean {
  if (one.kind === 'day' && other.kind === 'day') return one.at === other.at
  if (one.kind === 'message' && other.kind === 'message')
    return one.message === other.message && one.first === other.first
  if (one.kind === 'system' && other.kind === 'system') return one.message === other.message
  if (one.kind === 'waiting' && other.kind === 'waiting')
    return one.entry === other.entry && one.first === other.first
  return one.kind === other.kind
}
