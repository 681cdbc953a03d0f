import { remark } from '@parley/imports'
import { insertImportedValues } from '../../custom-properties/import-queries.js'
import { insertPortableProperties, listPropertiesNamed } from '../../custom-properties/portable-queries.js'
import type { Tx } from '../../platform/db/index.js'
import { insertImportedTagMembers } from '../../tags/import-queries.js'
import { insertPortableTags, listTagsNamed } from '../../tags/portable-queries.js'
import { findKeys, insertKeys, type Key } from '../queries.js'
import { type Outcome, outcome, type Run } from '../run-state.js'
import { idsFor, personId, phase, type Rows, sourceIds } from './phase.js'

/** A tag or field whose name is here already is that one. */
function keysByName<R extends { source_id: string }>(
  rows: readonly R[],
  ids: readonly number[],
  made: ReadonlySet<number>,
  named: ReadonlyMap<string, number>,
  nameOf: (row: R) => string,
): Key[] {
  return rows.flatMap((row, index): Key[] => {
    const id = ids[index] as number
    if (made.has(id)) return [{ source_id: row.source_id, id, made: true }]
    const same = named.get(nameOf(row))
    return same === undefined ? [] : [{ source_id: row.source_id, id: same, made: false }]
  })
}

async function writeTags(tx: Tx, run: Run, rows: Rows<'tag'>): Promise<Outcome> {
  const before = await findKeys(tx, run.row, 'tag', sourceIds(rows))
  const fresh = rows.filter(({ source_id }) => !before.has(source_id))
  const ids = await idsFor(tx, run, 'group_tags_id_seq', fresh)
  const made = await insertPortableTags(
    tx,
    fresh.map(({ body }, index) => ({ ...body, id: ids[index] as number })),
  )
  const named = await listTagsNamed(
    tx,
    fresh.map(({ body }) => body.name),
  )
  await insertKeys(
    tx,
    run.row,
    'tag',
    keysByName(fresh, ids, made, named, ({ body }) => body.name.toLowerCase()),
  )
  return { ...outcome(), written: made.size, merged: rows.length - made.size }
}

export const tags = phase('tag', 500, writeTags)

async function writeTagMembers(tx: Tx, run: Run, rows: Rows<'tag_member'>): Promise<Outcome> {
  const result = outcome()
  const ids = await findKeys(tx, run.row, 'tag', [...new Set(rows.map(({ body }) => String(body.tag_id)))])
  const pairs = rows.flatMap(({ body, source_id }) => {
    const tag_id = ids.get(String(body.tag_id))
    const user_id = personId(run, body.person_id)
    if (tag_id !== undefined && user_id !== undefined) return [{ tag_id, user_id }]
    result.skipped.push(remark('skipped', 'tag_member', 'is of somebody or a tag unknown', source_id))
    return []
  })
  result.written = await insertImportedTagMembers(tx, pairs)
  result.merged = pairs.length - result.written
  return result
}

export const tagMembers = phase('tag_member', 2000, writeTagMembers)

async function writeProperties(tx: Tx, run: Run, rows: Rows<'property'>): Promise<Outcome> {
  const before = await findKeys(tx, run.row, 'property', sourceIds(rows))
  const fresh = rows.filter(({ source_id }) => !before.has(source_id))
  const ids = await idsFor(tx, run, 'custom_properties_id_seq', fresh)
  const made = await insertPortableProperties(
    tx,
    fresh.map(({ body }, index) => ({ ...body, id: ids[index] })),
  )
  const named = await listPropertiesNamed(
    tx,
    fresh.map(({ body }) => body.name),
  )
  const nameOf = ({ body }: Rows<'property'>[number]) => `${body.entity_type} ${body.name.toLowerCase()}`
  await insertKeys(tx, run.row, 'property', keysByName(fresh, ids, made, named, nameOf))
  return { ...outcome(), written: made.size, merged: rows.length - made.size }
}

export const properties = phase('property', 500, writeProperties)

async function writeValues(tx: Tx, run: Run, rows: Rows<'property_value'>): Promise<Outcome> {
  const result = outcome()
  const named = [...new Set(rows.map(({ body }) => String(body.property_id)))]
  const ids = await findKeys(tx, run.row, 'property', named)
  const values = rows.flatMap(({ body, source_id }) => {
    const property_id = ids.get(String(body.property_id))
    const user_id = personId(run, body.person_id)
    if (property_id !== undefined && user_id !== undefined)
      return [{ property_id, user_id, value: body.value }]
    result.skipped.push(remark('skipped', 'property_value', 'is of somebody or a field unknown', source_id))
    return []
  })
  result.written = await insertImportedValues(tx, values)
  result.merged = values.length - result.written
  return result
}

export const propertyValues = phase('property_value', 2000, writeValues)
