import { type Selectable, sql } from 'kysely'
import { readableSql } from '../chats/read-sql.js'
import type { Actor } from '../platform/actor.js'
import { type DB, type Db, read, type Tx } from '../platform/db/index.js'

export type PreviewRow = Selectable<DB['link_previews']>

export interface NewPreview {
  url: string
  title: string
  description: string
  /** An address elsewhere. */
  image_url?: string | null
  /** An object of our storage; wins over `image_url`. */
  image_key?: string | null
}

/** The message as it must be for a preview to be made: there, and never edited. Held until the commit. */
export function lockFreshMessage(tx: Tx, id: number) {
  return tx
    .selectFrom('messages')
    .select(['id', 'chat_id', 'user_id', 'content'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .whereRef('changed_at', '=', 'created_at')
    .forUpdate()
    .executeTakeFirst()
}

export async function hasPreviews(db: Db, messageId: number): Promise<boolean> {
  const row = await db
    .selectFrom('link_previews')
    .select('message_id')
    .where('message_id', '=', messageId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertPreviews(tx: Tx, message_id: number, previews: readonly NewPreview[]) {
  if (previews.length === 0) return
  const rows = previews.map((preview, position) => ({ message_id, position, ...preview }))
  await tx.insertInto('link_previews').values(rows).execute()
}

/** Removes the previews of a message and names the images they had in our storage. */
export async function deletePreviews(tx: Tx, messageIds: readonly number[]): Promise<string[]> {
  const rows = await tx
    .deleteFrom('link_previews')
    .where(sql<boolean>`message_id = any(${messageIds})`)
    .returning('image_key')
    .execute()
  return rows.flatMap(({ image_key }) => image_key ?? [])
}

/** The previews of these messages, as far as the actor may read them. */
export async function listPreviewsFor(
  db: Db,
  actor: Actor,
  messageIds: readonly number[],
): Promise<PreviewRow[]> {
  const rows = await read(
    db,
    sql<PreviewRow>`
    select p.* from link_previews p
    join messages m on m.id = p.message_id join chats root on root.id = m.root_chat_id
    where p.message_id = any(${messageIds}::bigint[]) and m.deleted_at is null and ${readableSql(actor)}
    order by p.message_id, p.position`,
  )
  return rows
}

export async function findContent(db: Db, messageId: number): Promise<string | undefined> {
  const message = await db
    .selectFrom('messages')
    .select('content')
    .where('id', '=', messageId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return message?.content
}
