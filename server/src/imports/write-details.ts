import {
  cut,
  type PropertyRecord,
  type PropertyValueRecord,
  type Remark,
  remark,
  type TagMemberRecord,
  type TagRecord,
} from '@parley/imports'
import { insertImportedProperty, insertImportedValues } from '../custom-properties/import-queries.js'
import { now } from '../platform/clock.js'
import type { Db, Tx } from '../platform/db/index.js'
import { insertImportedTagMembers, insertImportedTags } from '../tags/import-queries.js'
import { listTagNames, listTagsNamed } from './chat-queries.js'
import { findKeys, insertKeys, type Key, type RecordRow } from './queries.js'
import { type Outcome, outcome, type Phase, type Run, writeResolved } from './run-state.js'

const NAME = 255
const VALUE = 768

/** How tags are mentioned: by their names without spaces. */
export async function rememberTags(db: Db, run: Run, ids: ReadonlyMap<string, number>) {
  const names = await listTagNames(db, [...ids.values()])
  for (const [source_id, id] of ids) run.tags.set(source_id, (names.get(id) ?? '').replaceAll(' ', ''))
}

/** Tags that are here and stand for groups of the source, as the mapping says. */
export async function rememberMappedTags(db: Db, run: Run) {
  const mapped = Object.entries(run.mapping.tags ?? {})
  const known = await listTagsNamed(
    db,
    mapped.map(([, name]) => name),
  )
  for (const [source_id, wanted] of mapped) {
    const name = known.get(wanted.toLowerCase())
    if (name !== undefined) run.tags.set(source_id, name.replaceAll(' ', ''))
  }
}

async function writeTags(tx: Tx, run: Run, rows: readonly RecordRow<TagRecord>[]): Promise<Outcome> {
  const before = await findKeys(
    tx,
    run.row,
    'tag',
    rows.map(({ source_id }) => source_id),
  )
  const fresh = rows.filter(({ source_id }) => !before.has(source_id))
  const nameOf = ({ body }: RecordRow<TagRecord>) => cut(body.name.trim(), NAME)
  const { ids, made } = await insertImportedTags(tx, fresh.map(nameOf), now(run.ctx.clock))
  const keys = fresh.map((row): Key => {
    const id = ids.get(nameOf(row).toLowerCase()) as number
    return { source_id: row.source_id, id, made: made.delete(id) }
  })
  await insertKeys(tx, run.row, 'tag', keys)
  await rememberTags(
    tx,
    run,
    new Map([...before, ...keys.map(({ source_id, id }) => [source_id, id] as const)]),
  )
  const written = keys.filter((key) => key.made).length
  return { ...outcome(), written, merged: rows.length - written }
}

export const tags: Phase<TagRecord> = { kind: 'tag', batch: 500, write: writeTags }

async function writeTagMembers(
  tx: Tx,
  run: Run,
  rows: readonly RecordRow<TagMemberRecord>[],
): Promise<Outcome> {
  const ids = await findKeys(tx, run.row, 'tag', [...new Set(rows.map(({ body }) => body.tag_id))])
  const pairOf = ({ body }: RecordRow<TagMemberRecord>) => {
    const tag_id = ids.get(body.tag_id)
    const user_id = run.people.get(body.person_id)?.id
    if (tag_id === undefined || user_id === undefined) return 'is of somebody or a tag unknown'
    return { tag_id, user_id }
  }
  return writeResolved('tag_member', rows, pairOf, (pairs) => insertImportedTagMembers(tx, pairs))
}

export const tagMembers: Phase<TagMemberRecord> = { kind: 'tag_member', batch: 2000, write: writeTagMembers }

async function writeProperties(
  tx: Tx,
  run: Run,
  rows: readonly RecordRow<PropertyRecord>[],
): Promise<Outcome> {
  const before = await findKeys(
    tx,
    run.row,
    'property',
    rows.map(({ source_id }) => source_id),
  )
  const keys: Key[] = []
  for (const { body, source_id } of rows) {
    if (before.has(source_id)) continue
    const name = cut((run.mapping.fields?.[source_id] ?? body.name).trim(), NAME) || source_id
    keys.push({
      source_id,
      ...(await insertImportedProperty(tx, { name, data_type: body.data_type }, now(run.ctx.clock))),
    })
  }
  await insertKeys(tx, run.row, 'property', keys)
  const written = keys.filter(({ made }) => made).length
  return { ...outcome(), written, merged: rows.length - written }
}

export const properties: Phase<PropertyRecord> = { kind: 'property', batch: 500, write: writeProperties }

async function writeValues(
  tx: Tx,
  run: Run,
  rows: readonly RecordRow<PropertyValueRecord>[],
): Promise<Outcome> {
  const ids = await findKeys(tx, run.row, 'property', [...new Set(rows.map(({ body }) => body.property_id))])
  const remarks: Remark[] = []
  const resolve = ({ body, source_id }: RecordRow<PropertyValueRecord>) => {
    const property_id = ids.get(body.property_id)
    const user_id = run.people.get(body.person_id)?.id
    if (property_id === undefined || user_id === undefined) return 'is of somebody or a field unknown'
    if (body.value.length > VALUE)
      remarks.push(remark('lost', 'property_value', 'is cut at 768 characters', source_id))
    return { property_id, user_id, value: cut(body.value, VALUE) }
  }
  const result = await writeResolved('property_value', rows, resolve, (values) =>
    insertImportedValues(tx, values),
  )
  return { ...result, remarks }
}

export const propertyValues: Phase<PropertyValueRecord> = {
  kind: 'property_value',
  batch: 2000,
  write: writeValues,
}
