import { type Insertable, type InsertObject, type Selectable, sql } from 'kysely'
import { readableSql } from '../chats/read-sql.js'
import type { Actor } from '../platform/actor.js'
import { anyId, anyText } from '../platform/db/any-sql.js'
import { type Autocommit, type DB, type Db, read, type Tx } from '../platform/db/index.js'

export type FileRow = Selectable<DB['files']>
/** What a file hangs on. */
export type FileTarget = { message_id: number } | { draft_id: number }

export function columnOf(target: FileTarget): 'message_id' | 'draft_id' {
  return 'message_id' in target ? 'message_id' : 'draft_id'
}

export function idOf(target: FileTarget): number {
  return 'message_id' in target ? target.message_id : target.draft_id
}

export function listFiles(db: Db, target: FileTarget): Promise<FileRow[]> {
  return db
    .selectFrom('files')
    .selectAll()
    .where(columnOf(target), '=', idOf(target))
    .orderBy('position')
    .execute()
}

/** The names under which this person's messages and drafts have an object. */
export function listFilesByKey(db: Db, ownerId: number, key: string) {
  return db
    .selectFrom('files')
    .select('name')
    .distinct()
    .where('key', '=', key)
    .where('owner_id', '=', ownerId)
    .execute()
}

export function listFilesOf(
  db: Db,
  column: 'message_id' | 'draft_id',
  ids: readonly number[],
): Promise<FileRow[]> {
  return db
    .selectFrom('files')
    .selectAll()
    .where(column, '=', anyId(ids))
    .orderBy(column)
    .orderBy('position')
    .execute()
}

/** The chat whose files those of a message are among, as a value to insert. */
export function rootChatOf(messageId: number) {
  return sql<number>`(select root_chat_id from messages where id = ${messageId})`
}

export function findFile(db: Db, id: number): Promise<FileRow | undefined> {
  return db.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function findPerimeter(db: Db): Promise<string[]> {
  const row = await db.selectFrom('workspace').select('perimeter').executeTakeFirstOrThrow()
  return row.perimeter
}

export async function hasPerimeter(db: Db): Promise<boolean> {
  return (await findPerimeter(db)).length > 0
}

/** Keys among these that a file sent from inside the perimeter has; the mark stays with the object. */
export async function listProtectedKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('files')
    .select('key')
    .distinct()
    .where('key', '=', anyText(keys))
    .where('protected', '=', true)
    .execute()
  return new Set(rows.map((row) => row.key))
}

export async function isAttached(db: Db, key: string): Promise<boolean> {
  const row = await db.selectFrom('files').select('id').where('key', '=', key).limit(1).executeTakeFirst()
  return row !== undefined
}

/** Holds the keys against erasure until this transaction ends, and names those that are being erased already. */
export async function lockKeysForUse(tx: Tx, keys: readonly string[]): Promise<string[]> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(key, 0)) from unnest(${keys}::text[]) as key`.execute(
    tx,
  )
  const rows = await tx
    .selectFrom('loose_objects')
    .select('key')
    .where('key', '=', anyText(keys))
    .where('claimed', '=', true)
    .execute()
  return rows.map((row) => row.key)
}

/** Claims a due key for erasure; false where a file uses it, and then it is loose no longer. */
export async function claimKey(tx: Tx, key: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
  const { rows } = await sql<{ used: boolean }>`
    select exists (select from files where key = ${key})
      or exists (select from link_previews where image_key = ${key})
      or exists (select from bots where promo -> 'promo_images' ? ${key}) as used`.execute(tx)
  if (rows[0]?.used) {
    await tx.deleteFrom('loose_objects').where('key', '=', key).execute()
    return false
  }
  await tx
    .insertInto('loose_objects')
    .values({ key, due_at: new Date(0), claimed: true })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ claimed: true }))
    .execute()
  return true
}

export async function deleteLooseObject(db: Autocommit, key: string) {
  await db.deleteFrom('loose_objects').where('key', '=', key).execute()
}

export async function listDueObjects(db: Db, now: Date, count: number): Promise<string[]> {
  const rows = await db
    .selectFrom('loose_objects')
    .select('key')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(count)
    .execute()
  return rows.map((row) => row.key)
}

/** Notes objects that go at a time unless a file uses them then; the earlier time wins. */
export async function upsertLooseObjects(db: Autocommit, keys: readonly string[], due_at: Date) {
  if (keys.length === 0) return
  await db
    .insertInto('loose_objects')
    .values(keys.map((key) => ({ key, due_at })))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({
        due_at: sql<Date>`least(loose_objects.due_at, ${eb.ref('excluded.due_at')})`,
      })),
    )
    .execute()
}

export interface FileFor extends FileRow {
  perimeter: string[]
  /** Whether the actor may read what the file hangs on. */
  readable: boolean
}

/** The chat that a message is in. */
export function findMessagePlace(db: Db, messageId: number): Promise<{ chat_id: number } | undefined> {
  return db.selectFrom('messages').select('chat_id').where('id', '=', messageId).executeTakeFirst()
}

/** The file, and whether the actor may read its message or is the author of its draft. */
export async function findFileFor(db: Db, actor: Actor, id: number): Promise<FileFor | undefined> {
  const rows = await read(
    db,
    sql<FileFor>`
    select f.*, w.perimeter,
      case when f.draft_id is not null then f.owner_id = ${actor.user_id}
      else exists (
        select from messages m join chats root on root.id = m.root_chat_id
        where m.id = f.message_id and (${readableSql(actor)} or exists (
          select from threads t join chat_members me on me.chat_id = t.chat_id and me.user_id = ${actor.user_id}
          where t.message_id = m.id))
      ) end as readable
    from files f cross join workspace w
    where f.id = ${id} and (f.message_id is not null or f.draft_id is not null)`,
  )
  return rows[0]
}

/** Uploads of one person take turns, so that together they stay within the quota. */
export async function lockUploads(tx: Tx, userId: number) {
  await sql`select pg_advisory_xact_lock(hashtextextended('uploads', ${userId}))`.execute(tx)
}

/** What a person uploaded since then, apart from what this form brought before. */
export async function sumUploads(db: Db, userId: number, keyPrefix: string, since: Date) {
  const rows = await read(
    db,
    sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0)::bigint as bytes from uploads
    where user_id = ${userId} and uploaded_at > ${since} and key_prefix <> ${keyPrefix}`,
  )
  return { bytes: Number(rows[0]?.bytes ?? 0) }
}

/** Notes the file of a form; false where the form brought another one. */
export async function upsertUpload(tx: Tx, upload: Insertable<DB['uploads']>): Promise<boolean> {
  const row = await tx
    .insertInto('uploads')
    .values(upload)
    .onConflict((conflict) =>
      conflict
        .column('key_prefix')
        .doUpdateSet({ bytes: upload.bytes, uploaded_at: upload.uploaded_at })
        .where('uploads.key', '=', upload.key),
    )
    .returning('key')
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteUploads(db: Autocommit, before: Date) {
  await db.deleteFrom('uploads').where('uploaded_at', '<', before).execute()
}

export function insertFileRows(tx: Tx, rows: readonly InsertObject<DB, 'files'>[]): Promise<FileRow[]> {
  return tx
    .insertInto('files')
    .values([...rows])
    .returningAll()
    .execute()
}

export async function updatePosition(tx: Tx, fileId: number, position: number) {
  await tx.updateTable('files').set({ position }).where('id', '=', fileId).execute()
}

/** The transcript that another message with the same object has already. */
export async function findTranscript(db: Db, key: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('files')
    .select('transcript')
    .where('key', '=', key)
    .where('transcript', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row?.transcript ?? undefined
}

/** False where the file is gone, or has a transcript. */
export async function updateTranscript(tx: Tx, fileId: number, transcript: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('files')
    .set({ transcript })
    .where('id', '=', fileId)
    .where('transcript', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Deletes files, and gives the keys of their objects. */
export async function deleteFileRows(tx: Tx, ids: readonly number[]): Promise<string[]> {
  const gone = await tx.deleteFrom('files').where('id', '=', anyId(ids)).returning('key').execute()
  return [...new Set(gone.map(({ key }) => key))]
}
