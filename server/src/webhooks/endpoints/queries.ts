import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { DB, Db, Tx } from '../../platform/db/index.js'
import { read } from '../../platform/db/index.js'
import { keyset, type Paging } from '../../platform/http/page.js'
import { type KeptKeys, keptKeysOf } from '../keys.js'

type Row = Selectable<DB['endpoints']>
/** An endpoint as its editors see it, without keys. */
export type EndpointRow = Pick<
  Row,
  | 'id'
  | 'name'
  | 'url'
  | 'events'
  | 'chat_ids'
  | 'trigger'
  | 'signature'
  | 'public_key'
  | 'header_names'
  | 'disabled'
  | 'failures'
  | 'paused_at'
  | 'created_at'
>

/** The endpoints of a bot, with the address in its settings as endpoint 0. */
const all = (botId: number) => sql`(
  select 0 as id, 'default' as name, b.outgoing_url as url, b.events, null::bigint[] as chat_ids, b.trigger_on as trigger,
    'hmac' as signature, null::text as public_key, '{}'::text[] as header_names, b.outgoing_url = '' as disabled,
    b.failures, b.paused_at, u.created_at
  from bots b join users u on u.id = b.user_id where b.user_id = ${botId}
  union all
  select id, name, url, events, chat_ids, trigger, signature, public_key, header_names, disabled, failures, paused_at,
    created_at
  from endpoints where bot_id = ${botId}) as e`

export function listEndpointRows(db: Db, botId: number, paging: Paging) {
  const { where, orderBy, limit } = keyset(paging, { id: sql`e.id` })
  return read(
    db,
    sql<EndpointRow>`select * from ${all(botId)} where ${where} order by ${orderBy} limit ${limit}`,
  )
}

export async function findEndpointRow(db: Db, botId: number, id: number): Promise<EndpointRow | undefined> {
  const rows = await read(db, sql<EndpointRow>`select * from ${all(botId)} where e.id = ${id}`)
  return rows[0]
}

export async function findEndpointNamed(
  db: Db,
  botId: number,
  name: string,
): Promise<EndpointRow | undefined> {
  const rows = await read(
    db,
    sql<EndpointRow>`select * from ${all(botId)} where lower(e.name) = lower(${name})`,
  )
  return rows[0]
}

export async function countEndpoints(db: Db, botId: number): Promise<number> {
  const rows = await read(
    db,
    sql<{ count: number }>`select count(*)::int as count from endpoints where bot_id = ${botId}`,
  )
  return rows[0]?.count ?? 0
}

export async function insertEndpoint(tx: Tx, row: Insertable<DB['endpoints']>): Promise<number> {
  const { id } = await tx.insertInto('endpoints').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateEndpointRow(tx: Tx, id: number, change: Updateable<DB['endpoints']>) {
  await tx.updateTable('endpoints').set(change).where('id', '=', id).execute()
}

/** The new key signs from now on, the one before it until a time. */
export async function updateEndpointKey(
  tx: Tx,
  id: number,
  key: { signature: string; public_key: string | null; signing_key: Buffer },
  old_key_until: Date | null,
) {
  await tx
    .updateTable('endpoints')
    .set((eb) => ({
      ...key,
      old_signing_key: old_key_until ? eb.ref('signing_key') : null,
      old_key_until,
    }))
    .where('id', '=', id)
    .execute()
}

export async function deleteEndpointRow(tx: Tx, id: number) {
  await tx.deleteFrom('endpoints').where('id', '=', id).execute()
}

/** Where to send to and what to sign with; an empty url where nothing is sent. */
export async function findSendingAddress(
  db: Db,
  botId: number,
  endpointId: number,
  now: Date,
): Promise<(KeptKeys & { url: string }) | undefined> {
  const rows = await read(
    db,
    sql<KeptKeys & { url: string }>`
    select a.url, ${sql.raw(keptKeysOf('a', 'given.now'))}
    from webhook_addresses a cross join (select ${now}::timestamptz as now) as given
    where a.bot_id = ${botId} and a.endpoint_id = ${endpointId}`,
  )
  return rows[0]
}
