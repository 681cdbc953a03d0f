import { remark } from '@parley/imports'
import { insertImportedPins, insertImportedReactions } from '../../messages/import-queries.js'
import type { Tx } from '../../platform/db/index.js'
import { findKeys } from '../queries.js'
import { type Outcome, outcome, type Run } from '../run-state.js'
import { chatId, personId, phase, type Rows } from './phase.js'

function messagesOf(tx: Tx, run: Run, rows: Rows<'reaction'> | Rows<'pin'>) {
  return findKeys(tx, run.row, 'message', [...new Set(rows.map(({ body }) => String(body.message_id)))])
}

async function writeReactions(tx: Tx, run: Run, rows: Rows<'reaction'>): Promise<Outcome> {
  const result = outcome()
  const ids = await messagesOf(tx, run, rows)
  const reactions = rows.flatMap(({ body, source_id }) => {
    const message_id = ids.get(String(body.message_id))
    const user_id = personId(run, body.person_id)
    if (message_id !== undefined && user_id !== undefined) {
      const { emoji, code, name, created_at } = body
      return [{ message_id, user_id, emoji, code, name, created_at }]
    }
    result.skipped.push(remark('skipped', 'reaction', 'is on a message or by somebody unknown', source_id))
    return []
  })
  result.written = await insertImportedReactions(tx, reactions)
  result.merged = reactions.length - result.written
  return result
}

export const reactions = phase('reaction', 5000, writeReactions)

async function writePins(tx: Tx, run: Run, rows: Rows<'pin'>): Promise<Outcome> {
  const result = outcome()
  const ids = await messagesOf(tx, run, rows)
  const pins = rows.flatMap(({ body, source_id }) => {
    const [message_id, chat_id] = [ids.get(String(body.message_id)), chatId(run, body.chat_id)]
    if (message_id !== undefined && chat_id !== undefined) {
      const user_id = personId(run, body.person_id) ?? run.row.user_id
      return [{ message_id, chat_id, user_id, pinned_at: body.pinned_at }]
    }
    result.skipped.push(remark('skipped', 'pin', 'is on a message that was skipped', source_id))
    return []
  })
  result.written = await insertImportedPins(tx, pins)
  result.merged = pins.length - result.written
  return result
}

export const pins = phase('pin', 1000, writePins)
