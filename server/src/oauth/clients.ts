import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../platform/context.js'
import type { Db } from '../platform/db/index.js'
import { hashToken } from '../platform/http/holders.js'
import { OAuthProblem } from '../platform/problem.js'
import { type BotClient, findClient, type OAuthClient } from './client-queries.js'

/** The command line client: known to everybody, without a secret. Others that the operator lists count as this one. */
export const CLI_CLIENT_ID = 'parley_cli'

export function isCli({ config }: Pick<Context, 'config'>, client_id: string | undefined): boolean {
  return client_id !== undefined && config.cli_client_ids.includes(client_id)
}

export interface Credentials {
  client_id: string | undefined
  client_secret: string | undefined
}

export function hashClientSecret(secret: string): string {
  return hashToken(secret).toString('hex')
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
