import { randomUUID } from 'node:crypto'
import { type FileRecord, type Line, remark } from '@parley/imports'
import { insertPortableFiles } from '../../files/portable-queries.js'
import type { Tx } from '../../platform/db/index.js'
import { findObjects, insertObjects, type StoredObject } from '../object-queries.js'
import { findKeys, insertKeys } from '../queries.js'
import { type Outcome, outcome, type Run } from '../run-state.js'
import { storeFile, takeKeys } from '../write-files.js'
import { idsFor, keysOf, personId, phase, type Rows, sourceIds } from './phase.js'

type Row = Rows<'file'>[number]
type Stored = Map<string, StoredObject>

const AT_ONCE = 16

function recordOf({ sha256, name, size }: Line<'file'>): FileRecord {
  const at = { media_type: null, owner_id: null, created_at: null, missing: null }
  return { kind: 'file', id: sha256 as string, name, size, path: sha256, ...at }
}

/** Copies contents that are not here yet, each once. Those that cannot be read are like those that were missing. */
async function storeContents(run: Run, rows: Rows<'file'>): Promise<Stored> {
  const wanted = new Map(rows.flatMap(({ body }) => (body.sha256 ? [[body.sha256, body] as const] : [])))
  const known = await findObjects(run.ctx.db, run.row, [...wanted.keys()])
  const waiting = [...wanted.values()].filter(({ sha256 }) => !known.has(sha256 ?? '')).map(recordOf)
  const keys = await takeKeys(run, waiting)
  const stored: Stored = new Map(known)
  const queue = waiting.entries()
  const next = async () => {
    for (const [n, record] of queue) {
      const object = await storeFile(run, record, keys[n] as string).catch(() => undefined)
      if (object) stored.set(object.source_id, object)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
  return stored
}

function rowOf(run: Run, { body }: Row, id: number, object: StoredObject | undefined) {
  const { sha256, state, type, uploaded_at, ...columns } = body
  return {
    ...columns,
    id,
    file_type: type,
    created_at: uploaded_at,
    owner_id: personId(run, body.owner_id) ?? run.row.user_id,
    key: object?.key ?? `attaches/files/${run.row.user_id}/${randomUUID()}/${body.name}`,
  }
}

async function writeFiles(tx: Tx, run: Run, rows: Rows<'file'>, stored: Stored): Promise<Outcome> {
  const result = outcome()
  const before = await findKeys(tx, run.row, 'file', sourceIds(rows))
  const named = (column: 'message_id' | 'draft_id') =>
    rows.flatMap(({ body }) => (body[column] === null ? [] : [String(body[column])]))
  const messages = await findKeys(tx, run.row, 'message', named('message_id'))
  const drafts = await findKeys(tx, run.row, 'draft', named('draft_id'))
  const fresh = rows.flatMap((row) => {
    if (before.has(row.source_id)) return []
    const message_id = messages.get(String(row.body.message_id)) ?? null
    const draft_id = drafts.get(String(row.body.draft_id)) ?? null
    if (message_id !== null || draft_id !== null) return [{ ...row, message_id, draft_id }]
    result.skipped.push(remark('skipped', 'file', 'is of a message that was skipped', row.source_id))
    return []
  })
  const known = await findObjects(tx, run.row, [...stored.keys()])
  await insertObjects(
    tx,
    run.row,
    [...stored.values()].filter(({ source_id }) => !known.has(source_id)),
  )
  const objects = await findObjects(tx, run.row, [...stored.keys()])
  const ids = await idsFor(tx, run, 'files_id_seq', fresh)
  await insertPortableFiles(
    tx,
    fresh.map(({ message_id, draft_id, ...row }, index) => ({
      ...rowOf(run, row, ids[index] as number, objects.get(row.body.sha256 ?? '')),
      message_id,
      draft_id,
    })),
  )
  for (const { body, source_id } of fresh)
    if (!objects.has(body.sha256 ?? ''))
      result.remarks.push(remark('lost', 'file', 'has no bytes in the portable file', source_id))
  await insertKeys(tx, run.row, 'file', keysOf(fresh, ids))
  result.written = fresh.length
  result.merged = before.size
  return result
}

export const files = phase('file', 200, writeFiles, storeContents)
