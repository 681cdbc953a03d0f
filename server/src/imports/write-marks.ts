import { type PinRecord, type ReactionRecord, remark } from '@parley/imports'
import {
  insertImportedPins,
  insertImportedReactions,
  listMessagePlaces,
  listReactionsOf,
} from '../messages/import-queries.js'
import type { Tx } from '../platform/db/index.js'
import { emojiOf, loadEmoji } from '../reactions/emoji.js'
import { brokenLimit } from '../reactions/rules.js'
import { findKeys, type RecordRow } from './queries.js'
import { type Outcome, outcome, type Phase, type Run, timeOf, writeResolved } from './run-state.js'

const KNOWN = loadEmoji()

/** The reactions of one message while more are added. */
interface Counted {
  /** Emoji, and whose. */
  reactions: Set<string>
  different: Set<string>
  own: Map<number, number>
}

/** What messages have already: those of an earlier run, and of the batch before. */
async function countKnown(tx: Tx, ids: readonly number[]): Promise<Map<number, Counted>> {
  const counted = new Map<number, Counted>()
  for (const id of ids) counted.set(id, { reactions: new Set(), different: new Set(), own: new Map() })
  for (const { message_id, user_id, emoji } of await listReactionsOf(tx, ids))
    count(counted.get(message_id) as Counted, user_id, emoji)
  return counted
}

function count(counted: Counted, userId: number, emoji: string) {
  counted.reactions.add(keyOf(userId, emoji))
  counted.different.add(emoji)
  counted.own.set(userId, (counted.own.get(userId) ?? 0) + 1)
}

const keyOf = (userId: number, emoji: string) => `${userId} ${emoji}`

/** Why one reaction more is too many; null where it is not. */
function limitOf({ reactions, different, own }: Counted, userId: number, emoji: string): string | null {
  const broken = brokenLimit({
    own: own.get(userId) ?? 0,
    different: different.size,
    total: reactions.size,
    known: different.has(emoji),
  })
  return broken && `is one too many: ${broken.message}`
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
  const counted = await countKnown(tx, [...new Set(ids.values())])
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
    const there = counted.get(message_id) as Counted
    if (there.reactions.has(keyOf(person.id, emoji.key))) {
      result.merged += 1
      return []
    }
    const limit = limitOf(there, person.id, emoji.key)
    if (limit) return skip(limit)
    count(there, person.id, emoji.key)
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
  await insertImportedReactions(tx, reactions)
  result.written = reactions.length
  return result
}

export const reactions: Phase<ReactionRecord> = { kind: 'reaction', batch: 5000, write: writeReactions }

async function writePins(tx: Tx, run: Run, rows: readonly RecordRow<PinRecord>[]): Promise<Outcome> {
  const ids = await findKeys(
    tx,
    run.row,
    'message',
    rows.map(({ body }) => body.message_id),
  )
  const places = await listMessagePlaces(tx, [...ids.values()])
  const pinOf = ({ body }: RecordRow<PinRecord>) => {
    const place = places.get(ids.get(body.message_id) ?? 0)
    if (!place || place.deleted || place.system) return 'is on a message that was skipped or removed'
    const user_id = run.people.get(body.person_id ?? '')?.id ?? run.row.user_id
    const pinned_at = body.at === null ? place.created_at.toISOString() : timeOf(body.at)
    return { message_id: place.id, chat_id: place.chat_id, user_id, pinned_at }
  }
  return writeResolved('pin', rows, pinOf, (pins) => insertImportedPins(tx, pins))
}

export const pins: Phase<PinRecord> = { kind: 'pin', batch: 1000, write: writePins }
