import { type PinRecord, type ReactionRecord, remark } from '@parley/imports'
import { insertImportedPins, insertImportedReactions, listMessagePlaces } from '../messages/import-queries.js'
import type { Tx } from '../platform/db/index.js'
import { emojiOf, loadEmoji } from '../reactions/emoji.js'
import { findKeys, type RecordRow } from './queries.js'
import { type Outcome, outcome, type Phase, type Run, timeOf } from './run-state.js'

const KNOWN = loadEmoji()
const DIFFERENT_AT_MOST = 30
const OWN_AT_MOST = 20
const TOTAL_AT_MOST = 1000

/** Reactions of one message come one after the other, so that a message is counted within a batch and its neighbours. */
interface Counted {
  different: Set<string>
  own: Map<number, number>
  total: number
}

function brokenLimit(counted: Counted, user: number, emoji: string): string | null {
  if (!counted.different.has(emoji) && counted.different.size >= DIFFERENT_AT_MOST)
    return 'is over 30 different ones'
  if ((counted.own.get(user) ?? 0) >= OWN_AT_MOST) return 'is over 20 by one person'
  return counted.total >= TOTAL_AT_MOST ? 'is over 1000 on one message' : null
}

async function writeReactions(
  tx: Tx,
  run: Run,
  rows: readonly RecordRow<ReactionRecord>[],
): Promise<Outcome> {
  const result = outcome()
  const ids = await findKeys(tx, run.row, 'message', [...new Set(rows.map(({ body }) => body.message_id))])
  const timeless = rows.flatMap(({ body }) => (body.at === null ? (ids.get(body.message_id) ?? []) : []))
  const places = await listMessagePlaces(tx, timeless)
  const sentAt = new Map([...places].map(([id, { created_at }]) => [id, created_at.toISOString()]))
  const counted = new Map<number, Counted>()
  const reactions = rows.flatMap(({ body, source_id }) => {
    const message_id = ids.get(body.message_id)
    const person = run.people.get(body.person_id)
    const emoji = emojiOf(KNOWN, body.emoji, undefined)
    const skip = (reason: string) => {
      result.skipped.push(remark('skipped', 'reaction', reason, source_id))
      return []
    }
    if (message_id === undefined) return skip('is on a message that was skipped')
    if (!person) return skip('is by somebody unknown')
    if (!emoji) return skip('is no emoji that exists here')
    const count = counted.get(message_id) ?? { different: new Set(), own: new Map(), total: 0 }
    counted.set(message_id, count)
    const limit = brokenLimit(count, person.id, emoji.key)
    if (limit) return skip(limit)
    count.different.add(emoji.key)
    count.own.set(person.id, (count.own.get(person.id) ?? 0) + 1)
    count.total += 1
    return [
      {
        message_id,
        user_id: person.id,
        emoji: emoji.key,
        code: body.emoji,
        name: emoji.name,
        created_at: body.at === null ? (sentAt.get(message_id) ?? '') : timeOf(body.at),
      },
    ]
  })
  result.written = await insertImportedReactions(tx, reactions)
  result.merged = reactions.length - result.written
  return result
}

export const reactions: Phase<ReactionRecord> = { kind: 'reaction', batch: 5000, write: writeReactions }

async function writePins(tx: Tx, run: Run, rows: readonly RecordRow<PinRecord>[]): Promise<Outcome> {
  const result = outcome()
  const ids = await findKeys(
    tx,
    run.row,
    'message',
    rows.map(({ body }) => body.message_id),
  )
  const places = await listMessagePlaces(tx, [...ids.values()])
  const pins = rows.flatMap(({ body, source_id }) => {
    const place = places.get(ids.get(body.message_id) ?? 0)
    if (!place || place.deleted || place.system) {
      result.skipped.push(remark('skipped', 'pin', 'is on a message that was skipped or removed', source_id))
      return []
    }
    const user_id = run.people.get(body.person_id ?? '')?.id ?? run.row.user_id
    const pinned_at = body.at === null ? place.created_at.toISOString() : timeOf(body.at)
    return [{ message_id: place.id, chat_id: place.chat_id, user_id, pinned_at }]
  })
  result.written = await insertImportedPins(tx, pins)
  result.merged = pins.length - result.written
  return result
}

export const pins: Phase<PinRecord> = { kind: 'pin', batch: 1000, write: writePins }
