import type { IdsUpTo } from '@parley/imports'
import { sql } from 'kysely'
import { type Autocommit, type Db, read, type Tx } from '../platform/db/index.js'

/** Runs work on the workspace as it is at one moment, however long the work takes and whatever is written meanwhile. */
export function onSnapshot<T>(db: Autocommit, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
      await sql`set local statement_timeout = 0`.execute(tx)
      await sql`create temporary table portable_objects (key text primary key, sha256 text) on commit drop`.execute(
        tx,
      )
      await sql`create temporary table portable_hidden (chat_id bigint primary key) on commit drop`.execute(
        tx,
      )
      return work(tx)
    })
}

/** Leaves personal chats out, and the threads in them. */
export async function hidePersonalChats(tx: Tx) {
  await sql`
    insert into portable_hidden
    select id from chats where kind = 'personal'
    union select t.chat_id from threads t join chats c on c.id = t.message_chat_id where c.kind = 'personal'`.execute(
    tx,
  )
}

/** The largest ids that were given so far. */
export async function findIdsUpTo(db: Db): Promise<IdsUpTo> {
  const last = (sequence: string) => sql`coalesce(pg_sequence_last_value(${sequence}::regclass), 0)`
  const rows = await read(
    db,
    sql<IdsUpTo>`
    select ${last('users_id_seq')} as people, ${last('group_tags_id_seq')} as tags,
      ${last('custom_properties_id_seq')} as properties, ${last('files_id_seq')} as files, ${last('chats_id_seq')} as chats,
      ${last('messages_id_seq')} as messages, ${last('threads_id_seq')} as threads, ${last('drafts_id_seq')} as drafts,
      ${last('tasks_id_seq')} as tasks, ${last('dlp_rules_id_seq')} as dlp_rules`,
  )
  return rows[0] as IdsUpTo
}

export async function findOwnerId(db: Db): Promise<number> {
  const row = await db.selectFrom('users').select('id').where('role', '=', 'owner').executeTakeFirstOrThrow()
  return row.id
}
