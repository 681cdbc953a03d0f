import { sql } from 'kysely'
import { type Db, read } from '../platform/db/index.js'

/** What `bots.oauth_client` holds. Turned off it stays, so that it comes back with the same id and secret. */
export interface OAuthClient {
  client_id: string
  secret_hash: string
  secret_mask: string
  confidential: boolean
  redirect_uris: string[]
  scopes: string[]
  enabled: boolean
  /** Set where the client id is the address of a document, from which the redirect addresses come. */
  document?: { fresh_until: string }
}

export interface BotClient extends OAuthClient {
  bot_id: number
  bot_name: string
}

/** The bot behind a client id, while its sign-in is on and the bot is there and not suspended. */
export async function findClient(db: Db, clientId: string): Promise<BotClient | undefined> {
  const [row] = await read(
    db,
    sql<{ bot_id: number; bot_name: string; oauth_client: OAuthClient }>`
    select b.user_id as bot_id, coalesce(u.first_name, u.nickname) as bot_name, b.oauth_client
    from bots b join users u on u.id = b.user_id and u.deleted_at is null and not u.suspended
    where b.oauth_client ->> 'client_id' = ${clientId}`,
  )
  if (!row?.oauth_client.enabled) return undefined
  return { ...row.oauth_client, bot_id: row.bot_id, bot_name: row.bot_name }
}
