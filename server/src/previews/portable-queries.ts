import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'
import type { JsonRow } from '../platform/db/json-row.js'

export async function insertPortablePreviews(tx: Tx, previews: readonly JsonRow<'link_previews'>[]) {
  if (previews.length === 0) return
  await sql`
    insert into link_previews (message_id, position, url, title, description, image_url, image_key)
    select message_id, position, url, title, description, image_url, image_key
    from jsonb_populate_recordset(null::link_previews, ${JSON.stringify(previews)}::jsonb)
    on conflict do nothing`.execute(tx)
}
