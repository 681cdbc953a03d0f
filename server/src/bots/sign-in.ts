import { randomBytes } from 'node:crypto'
import type { ApiErrorItem, BotUpdateRequest } from '@parley/contract'
import { SCOPE_NAMES } from '@parley/contract'
import type { OAuthClient } from '../oauth/client-queries.js'
import { hashClientSecret } from '../oauth/clients.js'
import { revokeGrants } from '../oauth/grants.js'
import { isAcceptableRedirect } from '../oauth/redirects.js'
import { maskOf, newTokenValue } from '../oauth/tokens.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { countText, NO_ITEMS } from '../platform/http/fault-text.js'
import { Problem, problemItem } from '../platform/problem.js'
import { auditOf } from './audit.js'
import type { ClientDocument } from './client-document.js'
import { changePromo } from './promo.js'
import { readClient, updateBotRow, writeClient } from './queries.js'
import { BOT_SCOPES } from './scopes.js'

export type SignInChange = Pick<BotUpdateRequest, 'oauth_client' | 'promo'> & {
  /** What the client id of the input names. */
  document?: ClientDocument | undefined
}
type ClientInput = NonNullable<BotUpdateRequest['oauth_client']>

const REDIRECTS_AT_MOST = 20
const URI_MAX = 2000
const AUDITED = ['confidential', 'redirect_uris', 'scopes'] as const

/** What a bot has that never asked anybody. */
function newClient(): OAuthClient {
  return {
    client_id: randomBytes(16).toString('hex'),
    secret_hash: '',
    secret_mask: '',
    confidential: true,
    redirect_uris: [],
    scopes: [],
    enabled: false,
  }
}

/** The client as its document describes it. */
function withDocument(client: OAuthClient, { client_id, redirect_uris, fresh_until }: ClientDocument) {
  return { ...client, client_id, redirect_uris, confidential: false, document: { fresh_until } }
}

/** A client with an id of its own, whatever document described it before. */
function withoutDocument({ document: _document, ...client }: OAuthClient): OAuthClient {
  return { ...client, client_id: newClient().client_id }
}

function identified(client: OAuthClient, input: ClientInput, document: ClientDocument | undefined) {
  if (document) return withDocument(client, document)
  return input.client_id === null && client.document ? withoutDocument(client) : client
}

/** Turned on it begins with what is usual; while it is on, only what is passed changes. What a document says stays. */
function withInput(
  before: OAuthClient,
  input: ClientInput,
  document: ClientDocument | undefined,
): OAuthClient {
  const client = identified(before, input, document)
  const usual = client.enabled ? client : { ...client, confidential: true, scopes: [...BOT_SCOPES] }
  const described = client.document !== undefined
  return {
    ...usual,
    confidential: !described && (input.confidential ?? usual.confidential),
    redirect_uris: described
      ? client.redirect_uris
      : [...new Set(input.redirect_uris ?? usual.redirect_uris)],
    scopes: [...new Set(input.scopes ?? usual.scopes)],
    enabled: true,
  }
}

const REDIRECT_RULE = `must be https, or http on this machine, without a fragment, at most ${URI_MAX} characters`

function checkClient({ redirect_uris, scopes }: OAuthClient, status: 400 | 422) {
  const at = 'oauth_client.redirect_uris'
  const known: readonly string[] = SCOPE_NAMES
  const foreign = scopes.filter((scope) => !known.includes(scope))
  const wrong = redirect_uris.filter((uri) => uri.length > URI_MAX || !isAcceptableRedirect(uri))
  const faults: ApiErrorItem[] = []
  if (foreign.length > 0)
    faults.push(
      problemItem('inclusion', {
        key: 'oauth_client.scopes',
        value: foreign.join(', '),
        message: 'are not scopes of this API',
      }),
    )
  if (redirect_uris.length === 0) faults.push(problemItem('blank', { key: at, message: NO_ITEMS }))
  if (redirect_uris.length > REDIRECTS_AT_MOST)
    faults.push(
      problemItem('too_long', { key: at, message: countText(REDIRECTS_AT_MOST, redirect_uris.length) }),
    )
  if (wrong.length > 0)
    faults.push(problemItem('invalid', { key: at, value: wrong.join(', '), message: REDIRECT_RULE }))
  if (faults.length > 0) throw Problem.of(foreign.length > 0 ? 400 : status, faults)
}

/** A secret, and the client that knows it from now on. */
export function withNewSecret(client: OAuthClient): { client: OAuthClient; client_secret: string } {
  const client_secret = newTokenValue()
  const secret = { secret_hash: hashClientSecret(client_secret), secret_mask: maskOf(client_secret) }
  return { client: { ...client, ...secret }, client_secret }
}

function changesOf(before: OAuthClient | null, after: OAuthClient) {
  const was = before?.enabled ? before : null
  const changed = AUDITED.filter((name) => JSON.stringify(was?.[name]) !== JSON.stringify(after[name]))
  return Object.fromEntries(
    changed.map((name) => [name, { previous: was?.[name] ?? null, new: after[name] }]),
  )
}

/** Two bots with one document would be one app. */
function taken(error: { constraint?: string }, status: 400 | 422): never {
  if (error.constraint !== 'bots_oauth_client') throw error
  const message = 'another bot has this document'
  throw new Problem(status, 'already_exists', { key: 'oauth_client.client_id', message })
}

async function turnOn(
  tx: Tx,
  ctx: Context,
  actor: Actor,
  botId: number,
  before: OAuthClient | null,
  input: ClientInput,
  document: ClientDocument | undefined,
  status: 400 | 422,
): Promise<{ client_secret?: string }> {
  const wanted = withInput(before ?? newClient(), input, document)
  checkClient(wanted, status)
  const lacksSecret = wanted.confidential && wanted.secret_hash === ''
  const { client, ...secret } = lacksSecret ? withNewSecret(wanted) : { client: wanted }
  await writeClient(tx, botId, client).catch((error) => taken(error, status))
  const changes = changesOf(before, client)
  if (Object.keys(changes).length > 0 || before?.client_id !== client.client_id) {
    const details = { client_id: client.client_id, changes }
    await record(tx, ctx, actor, auditOf(actor, botId, 'bot_oauth_client_updated', details))
  }
  return secret
}

/** Everything granted ends, and the page that offered it goes; id and secret stay for another day. */
async function turnOff(tx: Tx, ctx: Context, actor: Actor, botId: number, client: OAuthClient) {
  await updateBotRow(tx, botId, { oauth_client: JSON.stringify({ ...client, enabled: false }), promo: null })
  const details = { client_id: client.client_id, ...(await revokeGrants(tx, botId)) }
  await record(tx, ctx, actor, auditOf(actor, botId, 'bot_oauth_client_disabled', details))
}

/**
 * Sign-in on behalf of employees, and the page that offers it; gives a client secret where one was made. `status` is
 * that of faults in the body's content.
 */
export async function changeSignIn(
  tx: Tx,
  ctx: Context,
  actor: Actor,
  botId: number,
  { oauth_client, promo, document }: SignInChange,
  status: 400 | 422 = 422,
): Promise<{ client_secret?: string }> {
  if (oauth_client === undefined && promo === undefined) return {}
  const before = await readClient(tx, botId)
  let secret = {}
  if (oauth_client) secret = await turnOn(tx, ctx, actor, botId, before, oauth_client, document, status)
  else if (oauth_client === null && before?.enabled) await turnOff(tx, ctx, actor, botId, before)
  if (promo !== undefined) {
    const enabled = oauth_client === undefined ? before?.enabled === true : oauth_client !== null
    await changePromo(tx, actor, botId, promo, { enabled, status })
  }
  return secret
}
