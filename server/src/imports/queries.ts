import type { RecordKind, Remark } from '@parley/imports'
import { type Insertable, type Selectable, sql } from 'kysely'
import { copyRows } from '../platform/db/copy.js'
import { type Autocommit, type DB, type Db, read, type Tx } from '../platform/db/index.js'

export type ImportRow = Selectable<DB['imports']>

export function findOpenImport(db: Db): Promise<ImportRow | undefined> {
  return db
    .selectFrom('imports')
    .selectAll()
    .where('state', 'in', ['reading', 'writing', 'undoing'])
    .executeTakeFirst()
}

export function findImport(db: Db, id: number): Promise<ImportRow | undefined> {
  return db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The import as it stands; nobody else writes for it until the transaction ends. */
export function lockImport(tx: Tx, id: number): Promise<ImportRow> {
  return tx.selectFrom('imports').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
}

export function findLastImport(db: Db): Promise<ImportRow | undefined> {
  return db.selectFrom('imports').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()
}

export function insertImport(tx: Tx, row: Insertable<DB['imports']>): Promise<ImportRow> {
  return tx.insertInto('imports').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function updateImport(
  tx: Tx,
  id: number,
  change: Partial<
    Pick<ImportRow, 'state' | 'phase' | 'place_at' | 'place_seq' | 'records_sha256' | 'finished_at'>
  >,
) {
  await tx.updateTable('imports').set(change).where('id', '=', id).execute()
}

/** Read, written, merged and skipped records of a kind. */
export type Counts = Partial<
  Record<RecordKind | 'thread', { read: number; written: number; merged: number; skipped: number }>
>

export async function updateCounts(tx: Tx, id: number, counts: Counts) {
  await tx
    .updateTable('imports')
    .set({ counts: JSON.stringify(counts) })
    .where('id', '=', id)
    .execute()
}

/** The next records are counted from 1, so that an archive that is read again gives each the number it had. */
export async function deleteRecords(db: Autocommit) {
  await sql`truncate import_records restart identity`.execute(db)
}

/** Statements over a whole import may take longer than those that somebody waits for. */
export async function allowLong(tx: Tx) {
  await sql`set local statement_timeout = 0`.execute(tx)
}

/**
 * Gives messages that share an id and say something else ids of their own, by their texts; the first that was read keeps
 * the id. For sources without ids, where one is made of chat, author and time.
 */
export async function tellApartByText(tx: Tx) {
  await sql`
    update import_records r set source_id = r.source_id || '|' || left(md5(x.said), 12)
    from (
      select seq, body ->> 'text' as said, first_value(body ->> 'text') over (partition by source_id order by seq) as first
      from import_records
      where kind = 'message' and source_id in (
        select source_id from import_records where kind = 'message' group by source_id having count(*) > 1)
    ) x
    where r.seq = x.seq and x.said <> x.first`.execute(tx)
}

/** Marks all records of an id but the first one that was read. */
export async function markRepeated(tx: Tx) {
  await sql`
    update import_records r set repeated = true
    from (select kind, source_id, min(seq) as first from import_records group by kind, source_id having count(*) > 1) x
    where r.kind = x.kind and r.source_id = x.source_id and r.seq > x.first`.execute(tx)
}

/**
 * The commit does not wait for the disk. A crash of the database may lose the last batches, each with the place that it
 * had come to, so that the import goes on from the batch before them.
 */
export async function commitUnflushed(tx: Tx) {
  await sql`set local synchronous_commit = off`.execute(tx)
}

/** The index of search takes in its pending list in fewer turns: a sixth less work of the database for a message. */
export async function allowMemory(tx: Tx) {
  await sql`set local work_mem = '64MB'`.execute(tx)
}

/** Without figures of what a table holds, its indexes are passed over. */
export async function analyzeTables(db: Autocommit, tables: readonly string[]) {
  await sql`analyze ${sql.join(tables.map((name) => sql.table(name)))}`.execute(db)
}

/** Where columns are named, the words of texts are not made again for the index of search: a second for a large table. */
export async function analyzeMessages(db: Autocommit) {
  await sql`analyze messages (id, chat_id, root_chat_id, user_id, parent_message_id, created_at)`.execute(db)
}

export interface Staged {
  kind: RecordKind
  source_id: string
  at: number
  body: object
}

/** PostgreSQL keeps neither zero characters nor halves of surrogate pairs. */
const MAYBE_UNKEPT = /[\0\ud800-\udfff]/
const UNKEPT = /\\u(0000|d[89a-f][0-9a-f]{2})/i

function cleaned(text: string): string {
  return MAYBE_UNKEPT.test(text) ? Buffer.from(text.replaceAll('\0', '')).toString() : text
}

function jsonOf(body: object): string {
  const json = JSON.stringify(body)
  if (!UNKEPT.test(json)) return json
  return JSON.stringify(body, (_key, value: unknown) => (typeof value === 'string' ? cleaned(value) : value))
}

export async function insertRecords(db: Autocommit, records: readonly Staged[]) {
  const rows = records.map(({ kind, source_id, at, body }) => {
    return { kind, source_id: cleaned(source_id), at, body: jsonOf(body) }
  })
  await copyRows(db, 'import_records', ['kind', 'source_id', 'at', 'body'], rows)
}

export interface Place {
  place_at: number
  place_seq: number
}

export interface RecordRow<R> {
  seq: number
  source_id: string
  at: number
  body: R
  /** The same id was read before it. */
  repeated: boolean
}

/** The next records of a kind, oldest first, in the order of the source where their times are equal. */
export function listRecords<R>(
  db: Db,
  kind: RecordKind,
  place: Place,
  limit: number,
): Promise<RecordRow<R>[]> {
  return read(
    db,
    sql<RecordRow<R>>`
    select seq, source_id, at, body, repeated from import_records
    where kind = ${kind} and (at, seq) > (${place.place_at}, ${place.place_seq})
    order by at, seq limit ${limit}`,
  )
}

/** Records by their ids. */
export async function findRecords<R>(
  db: Db,
  kind: RecordKind,
  ids: readonly string[],
): Promise<Map<string, R>> {
  if (ids.length === 0) return new Map()
  const rows = await read(
    db,
    sql<{ source_id: string; body: R }>`
    select source_id, body from import_records where kind = ${kind} and source_id = any(${ids})`,
  )
  return new Map(rows.map(({ source_id, body }) => [source_id, body]))
}

export async function hasRecords(db: Db): Promise<boolean> {
  const [row] = await read(db, sql<{ found: boolean }>`select exists (select from import_records) as found`)
  return row?.found ?? false
}

type KeyOwner = Pick<ImportRow, 'source' | 'workspace'>

/** What has a key already, by the id of the source. */
export async function findKeys(
  db: Db,
  { source, workspace }: KeyOwner,
  kind: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await read(
    db,
    sql<{ source_id: string; id: number }>`
    select source_id, id from import_keys
    where source = ${source} and workspace = ${workspace} and kind = ${kind} and source_id = any(${ids})`,
  )
  return new Map(rows.map(({ source_id, id }) => [source_id, id]))
}

/** Whether an import has made anything that has a key. */
export async function hasMade(db: Db, importId: number): Promise<boolean> {
  const [row] = await read(
    db,
    sql<{ found: boolean }>`
    select exists (select from import_keys where import_id = ${importId} and made) as found`,
  )
  return row?.found ?? false
}

export interface Key {
  source_id: string
  id: number
  made: boolean
}

export async function insertKeys(
  tx: Tx,
  { id: import_id, source, workspace }: Pick<ImportRow, 'id' | 'source' | 'workspace'>,
  kind: string,
  keys: readonly Key[],
) {
  await copyRows(
    tx,
    'import_keys',
    ['source', 'workspace', 'kind', 'import_id', 'source_id', 'id', 'made'],
    keys.map((key) => ({ ...key, source, workspace, kind, import_id })),
  )
}

/** Keys of other sources that came with a portable file; gives how many were not here. */
export async function insertForeignKeys(
  tx: Tx,
  importId: number,
  keys: readonly { source: string; workspace: string; kind: string; source_id: string; id: number }[],
): Promise<number> {
  if (keys.length === 0) return 0
  const { numAffectedRows } = await sql`
    insert into import_keys (source, workspace, kind, source_id, id, import_id, made)
    select source, workspace, kind, source_id, id, ${importId}, false
    from jsonb_populate_recordset(null::import_keys, ${JSON.stringify(keys)}::jsonb)
    on conflict do nothing`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** The next ids of a sequence. */
export async function nextIds(tx: Tx, sequence: string, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select nextval(${sequence}::regclass) as id from generate_series(1, ${count}::int)`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The nicknames that the source says, of people and bots. */
export function listNicknames(db: Db): Promise<{ source_id: string; nickname: string }[]> {
  return read(
    db,
    sql<{ source_id: string; nickname: string }>`
    select source_id, body ->> 'nickname' as nickname from import_records where kind in ('person', 'bot')`,
  )
}

/** Of most kinds some ids are enough to look at. People are listed: somebody has to write to them. */
const idsKept = (of: Remark['of']) => (of === 'person' ? 1000 : 20)
const ID_CHARACTERS = 300

export async function upsertRemarks(db: Autocommit, import_id: number, remarks: readonly Remark[]) {
  const groups = new Map<string, { remark: Remark; count: number; ids: string[] }>()
  for (const remark of remarks) {
    const key = JSON.stringify([remark.kind, remark.of, remark.reason])
    const group = groups.get(key) ?? { remark, count: 0, ids: [] }
    group.count += 1
    if (group.ids.length < idsKept(remark.of)) group.ids.push(cleaned(remark.id).slice(0, ID_CHARACTERS))
    groups.set(key, group)
  }
  for (const { remark, count, ids } of groups.values())
    await sql`
      insert into import_remarks as r values
        (${import_id}, ${remark.kind}, ${remark.of}, ${cleaned(remark.reason)}, ${count}, ${ids})
      on conflict (import_id, kind, record_kind, reason) do update
        set count = r.count + excluded.count, ids = (r.ids || excluded.ids)[:${idsKept(remark.of)}::int]`.execute(
      db,
    )
}

export type RemarkRow = Selectable<DB['import_remarks']>

export function listRemarks(db: Db, importId: number): Promise<RemarkRow[]> {
  return db
    .selectFrom('import_remarks')
    .selectAll()
    .where('import_id', '=', importId)
    .orderBy('count', 'desc')
    .execute()
}

export async function deleteRemarks(tx: Tx, importId: number) {
  await tx.deleteFrom('import_remarks').where('import_id', '=', importId).execute()
}
