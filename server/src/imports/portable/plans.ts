import { type Line, remark } from '@parley/imports'
import { insertPortableTaskValues } from '../../custom-properties/portable-queries.js'
import { insertPortableDrafts } from '../../drafts/portable-queries.js'
import type { Tx } from '../../platform/db/index.js'
import { insertPortableTasks } from '../../tasks/portable-queries.js'
import { planReminder } from '../../tasks/remind.js'
import { findKeys, insertKeys } from '../queries.js'
import { type Outcome, outcome, type Run } from '../run-state.js'
import { chatId, idsFor, keysOf, personId, phase, type Rows, sourceIds } from './phase.js'

/** A draft is to a chat or to a person; a schedule has a start and a next time, a plain draft has neither. */
function isPossible({ chat_id, to_person_id, interval, start_date, next_send_at }: Line<'draft'>): boolean {
  const planned = interval !== null
  return (
    (chat_id === null) !== (to_person_id === null) && planned === !!start_date && planned === !!next_send_at
  )
}

async function writeDrafts(tx: Tx, run: Run, rows: Rows<'draft'>): Promise<Outcome> {
  const result = outcome()
  const before = await findKeys(tx, run.row, 'draft', sourceIds(rows))
  const parents = await findKeys(
    tx,
    run.row,
    'message',
    rows.flatMap(({ body }) => (body.parent_id ? [String(body.parent_id)] : [])),
  )
  const fresh = rows.filter(({ body, source_id }) => {
    if (before.has(source_id)) return false
    const place = chatId(run, body.chat_id) ?? personId(run, body.to_person_id)
    const known = place !== undefined && personId(run, body.person_id) !== undefined
    if (known && isPossible(body)) return true
    result.skipped.push(remark('skipped', 'draft', 'is to or by somebody unknown, or no draft', source_id))
    return false
  })
  const ids = await idsFor(tx, run, 'drafts_id_seq', fresh)
  const made = await insertPortableDrafts(
    tx,
    fresh.map(({ body: { person_id, to_person_id, parent_id, ...columns } }, index) => ({
      ...columns,
      id: ids[index],
      user_id: personId(run, person_id),
      chat_id: chatId(run, columns.chat_id) ?? null,
      to_user_id: personId(run, to_person_id) ?? null,
      parent_message_id: parents.get(String(parent_id)) ?? (run.row.keeps_ids ? parent_id : null),
    })),
  )
  await insertKeys(
    tx,
    run.row,
    'draft',
    keysOf(fresh, ids).filter(({ id }) => made.has(id)),
  )
  result.written = made.size
  result.merged = before.size + fresh.length - made.size
  return result
}

export const drafts = phase('draft', 1000, writeDrafts)

async function writeTasks(tx: Tx, run: Run, rows: Rows<'task'>): Promise<Outcome> {
  const result = outcome()
  const before = await findKeys(tx, run.row, 'task', sourceIds(rows))
  const named = rows.flatMap(({ body }) => body.properties.map(({ property_id }) => String(property_id)))
  const properties = await findKeys(tx, run.row, 'property', [...new Set(named)])
  const fresh = rows.filter(({ body, source_id }) => {
    if (before.has(source_id)) return false
    const known = body.chat_id === null || chatId(run, body.chat_id) !== undefined
    if (known && personId(run, body.person_id) !== undefined) return true
    result.skipped.push(remark('skipped', 'task', 'is of a chat or somebody unknown', source_id))
    return false
  })
  const ids = await idsFor(tx, run, 'tasks_id_seq', fresh)
  const tasks = fresh.map(
    ({ body: { type, person_id, performer_ids, properties: values, ...columns } }, index) => ({
      ...columns,
      id: ids[index] as number,
      kind: type,
      user_id: personId(run, person_id),
      chat_id: chatId(run, columns.chat_id) ?? null,
    }),
  )
  const performers = fresh.flatMap(({ body }, index) =>
    body.performer_ids.flatMap((id) => {
      const user_id = personId(run, id)
      return user_id === undefined ? [] : [{ task_id: ids[index], user_id }]
    }),
  )
  await insertPortableTasks(tx, tasks, performers)
  await insertPortableTaskValues(
    tx,
    fresh.flatMap(({ body }, index) =>
      body.properties.flatMap(({ property_id: id, value }) => {
        const property_id = properties.get(String(id))
        return property_id === undefined ? [] : [{ task_id: ids[index], property_id, value }]
      }),
    ),
  )
  for (const { id, remind_at } of tasks)
    if (remind_at !== null) await planReminder(tx, run.ctx, id, new Date(remind_at))
  await insertKeys(tx, run.row, 'task', keysOf(fresh, ids))
  result.written = fresh.length
  result.merged = before.size
  return result
}

export const tasks = phase('task', 1000, writeTasks)
