import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'
import type { JsonRow } from '../platform/db/json-row.js'

/** Files of messages and drafts of a portable file; their objects are stored, or were missing there too. */
export async function insertPortableFiles(tx: Tx, files: readonly JsonRow<'files'>[]) {
  if (files.length === 0) return
  await sql`
    insert into files (id, owner_id, key, name, file_type, size, width, height, measured_width, measured_height, duration_ms,
      waveform, transcript, protected, message_id, draft_id, position, created_at, chat_id)
    select x.id, x.owner_id, x.key, x.name, x.file_type, x.size, x.width, x.height, x.measured_width, x.measured_height,
      x.duration_ms, x.waveform, x.transcript, x.protected, x.message_id, x.draft_id, x.position, x.created_at, m.root_chat_id
    from jsonb_populate_recordset(null::files, ${JSON.stringify(files)}::jsonb) x left join messages m on m.id = x.message_id`.execute(
    tx,
  )
  await sql`delete from loose_objects where key = any(${files.map(({ key }) => key)})`.execute(tx)
}

/** The uploads of somebody who gets another id, such as the file that is imported. */
export async function moveUploads(tx: Tx, from: number, to: number) {
  await sql`update uploads set user_id = ${to} where user_id = ${from}`.execute(tx)
}
