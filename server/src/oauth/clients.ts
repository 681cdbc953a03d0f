import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { type Db, read } from '../platform/db/index.js'
import { hashToken } from '../platform/http/admit.js'
import { OAuthProblem } from '../platform/problem.js'

/** The command line client: known to everybody, without a secret. */
export const CLI_CLIENT_ID = 'parley_cli'

/** What `bots.oauth_client` holds. Turned off it stays, so that it comes back with the same id and secret. */
export interface OAuthClient {
  client_id: string
  secret_hash: string
  secret_mask: string
  confidential: boolean
  redirect_uris: string[]
  scopes: string[]
  enabled: boolean
}

export interface BotClient extends OAuthClient {
  bot_id: number
  bot_name: string
}

export interface Credentials {
  client_id: string | undefined
  client_secret: string | undefined
}

export function hashClientSecret(secret: string): string {
  return hashToken(secret).toString('hex')
}

/** The bot behind a client id, while its sign-in is on and the bot is there. */
export async function findClient(db: Db, clientId: string): Promise<BotClient | undefined> {
  const rows = await read(
    db,
    sql<{ bot_id: number; bot_name: string; oauth_client: OAuthClient }>`
    select b.user_id as bot_id, coalesce(u.first_name, u.nickname) as bot_name, b.oauth_client
    from bots b join users u on u.id = b.user_id and u.deleted_at is null
    where b.oauth_client ->> 'client_id' = ${clientId}`,
  )
  const [row] = rows
  if (!row?.oauth_client.enabled) return undefined
  return { ...row.oauth_client, bot_id: row.bot_id, bot_name: row.bot_name }
}

const refused = (description: string) => new OAuthProblem(401, 'invalid_client', description)

function knowsSecret(client: OAuthClient, secret: string | undefined): boolean {
  const given = Buffer.from(hashClientSecret(secret ?? ''), 'hex')
  const known = Buffer.from(client.secret_hash, 'hex')
  return secret !== undefined && known.length === given.length && timingSafeEqual(known, given)
}

/** The bot's client that these credentials prove; one without a secret is known by its id alone. */
export async function authenticateClient(db: Db, given: Credentials): Promise<BotClient> {
  if (!given.client_id) throw refused('client_id is missing')
  const client = await findClient(db, given.client_id)
  if (!client) throw refused('No such client')
  if (client.confidential && !knowsSecret(client, given.client_secret))
    throw refused('The client secret is wrong')
  return client
}
