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

/** Everything, or what follows the rows that are there already, which show the first `count` messages. */
export function rowsOf(
  { messages, has_older, has_newer, new_after, waiting, me, dayOf }: RowsOf,
  there: { rows: readonly Row[]; count: number } = { rows: [], count: 0 },
): Row[] {
  const rows: Row[] = there.count > 0 || has_older ? [] : [{ kind: 'start', key: 'start' }]
  let before = messages[there.count - 1]
  let day = before ? dayOf(before.created_at) : ''
  let minute = ''
  let marked = new_after === null || there.rows.some(({ kind }) => kind === 'new')
  for (const message of messages.slice(there.count)) {
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
      const above = waiting[index - 1]?.made_at ?? before?.created_at
      const isAfterOthers = index === 0 && (before?.user_id !== me || before.system)
      // A row with a name says its day too.
      const first = isAfterOthers || !above || dayOf(above) !== dayOf(entry.made_at)
      rows.push({ kind: 'waiting', key: `w${entry.key}`, entry, first })
    })
  return rows
}

/** What a timeline shows, and the rows that it draws of it. */
export interface Drawn {
  of: RowsOf
  rows: readonly Row[]
}

/** How many messages at the beginning are the same in both. */
function countShared(before: readonly TimelineMessage[], now: readonly TimelineMessage[]): number {
  let count = 0
  while (count < before.length && count < now.length && before[count] === now[count]) count += 1
  return count
}

/** Rows that are the same as before stay the same objects. A message more costs the same in a long timeline as in a short one. */
export function drawAgain(before: Drawn | null, of: RowsOf): Drawn {
  const asBefore =
    before?.of.me === of.me && before.of.new_after === of.new_after && before.of.has_older === of.has_older
  const count = asBefore ? countShared(before.of.messages, of.messages) : 0
  const last = `m${of.messages[count - 1]?.id}`
  const end = count === 0 ? 0 : (before?.rows.findLastIndex(({ key }) => key === last) ?? -1) + 1
  const there = before?.rows.slice(0, end) ?? []
  const rest = keepRows(before?.rows.slice(end) ?? [], rowsOf(of, { rows: there, count: end && count }))
  return { of, rows: [...there, ...rest] }
}

/** The rows of now, each the object of before where it shows the same: those are not drawn again. */
function keepRows(before: readonly Row[], now: readonly Row[]): Row[] {
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
