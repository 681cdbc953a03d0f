import type { IdsUpTo } from '@parley/imports'
import { sql } from 'kysely'
import { type Db, read, type Tx } from '../../platform/db/index.js'

/** The only account of a workspace that holds nothing; undefined where it holds anything. */
export async function findLoneOwner(db: Db): Promise<number | undefined> {
  const rows = await read(
    db,
    sql<{ id: number }>`
    select id from users where role = 'owner'
      and not exists (select from users other where other.role <> 'owner') and not exists (select from chats)
      and not exists (select from messages) and not exists (select from group_tags)
      and not exists (select from custom_properties) and not exists (select from tasks) and not exists (select from drafts)
      and not exists (select from dlp_rules) and not exists (select from retention_changes)
      and not exists (select from exports) and not exists (select from notices)
      and not exists (select from uploads u where not exists (
        select from import_orders o where u.key = o.file_key or u.key = any(o.file_keys)))
      and not exists (select from preferences) and not exists (select from invites)
      and not exists (select from password_resets) and not exists (select from import_keys)`,
  )
  return rows[0]?.id
}

const SEQUENCES: Record<keyof IdsUpTo, string> = {
  people: 'users_id_seq',
  tags: 'group_tags_id_seq',
  properties: 'custom_properties_id_seq',
  files: 'files_id_seq',
  chats: 'chats_id_seq',
  messages: 'messages_id_seq',
  threads: 'threads_id_seq',
  drafts: 'drafts_id_seq',
  tasks: 'tasks_id_seq',
  dlp_rules: 'dlp_rules_id_seq',
}

/** The next ids come after those of the file. A sequence does not go back with its transaction. */
export async function moveSequences(tx: Tx, ids: IdsUpTo) {
  for (const [name, sequence] of Object.entries(SEQUENCES))
    await sql`
      select setval(${sequence}::regclass, greatest(${ids[name as keyof IdsUpTo]}::bigint, 1,
        coalesce(pg_sequence_last_value(${sequence}::regclass), 0)))`.execute(tx)
}

export async function moveImports(tx: Tx, from: number, to: number) {
  await sql`update imports set user_id = ${to} where user_id = ${from}`.execute(tx)
  await sql`update import_orders set user_id = ${to} where user_id = ${from}`.execute(tx)
}
