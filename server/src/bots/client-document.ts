import type { BotUpdateRequest } from '@parley/contract'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { BotClient, OAuthClient } from '../oauth/client-queries.js'
import { isAcceptableRedirect } from '../oauth/redirects.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { OutboundError } from '../platform/outbound/error.js'
import { Problem } from '../platform/problem.js'
import { DAY_MS, MINUTE_MS } from '../platform/time.js'
import { USER_AGENT } from '../platform/version.js'
import { lockBot, readClient, writeClient } from './queries.js'

const TIMEOUT_MS = 5_000
const BYTES_AT_MOST = 64 * 1024
const REDIRECTS_AT_MOST = 20
/** How long a document is believed: what its server says, within these. */
const FRESH_MS = { usual: 10 * MINUTE_MS, least: MINUTE_MS, most: DAY_MS }

/** What is read of a client id metadata document (draft-ietf-oauth-client-id-metadata-document). */
const Shape = Type.Object({
  client_id: Type.String(),
  redirect_uris: Type.Array(Type.String(), { minItems: 1, maxItems: REDIRECTS_AT_MOST }),
  token_endpoint_auth_method: Type.Optional(Type.String()),
})

export interface ClientDocument {
  client_id: string
  redirect_uris: string[]
  fresh_until: string
}

/** A document that cannot be used, with the reason for people. */
class DocumentError extends Error {}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/

/** HTTPS with a path and nothing that could be written in two ways; plain HTTP to this machine alone. */
function addressFault(address: string): string | undefined {
  if (!URL.canParse(address)) return 'must be an https address'
  const { protocol, hostname, pathname, username, password, hash, href } = new URL(address)
  if (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.test(hostname)))
    return 'must be an https address'
  if (username || password || hash) return 'must have neither a login nor a fragment'
  if (pathname === '/') return 'must have a path'
  return href === address ? undefined : `must be written as ${href}`
}

function freshFor(cacheControl: string | undefined): number {
  if (/\bno-(store|cache)\b/i.test(cacheControl ?? '')) return FRESH_MS.least
  const seconds = /\bmax-age=(\d{1,9})/i.exec(cacheControl ?? '')?.[1]
  if (seconds === undefined) return FRESH_MS.usual
  return Math.min(FRESH_MS.most, Math.max(FRESH_MS.least, Number(seconds) * 1000))
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    throw new DocumentError('the document is no JSON')
  }
}

/** The document at an address, read by the one way out that keeps away from private networks. Redirects are not followed. */
async function fetchDocument(ctx: Context, address: string): Promise<ClientDocument> {
  const fault = addressFault(address)
  if (fault) throw new DocumentError(fault)
  const answer = await ctx.outbound
    .request({
      url: address,
      method: 'GET',
      headers: { Accept: 'application/json', 'User-Agent': USER_AGENT },
      timeout_ms: TIMEOUT_MS,
      max_bytes: BYTES_AT_MOST,
    })
    .catch((error: unknown) => {
      throw error instanceof OutboundError ? new DocumentError(error.message) : error
    })
  if (answer.status !== 200) throw new DocumentError(`the address answered ${answer.status}`)
  if (answer.truncated) throw new DocumentError(`the document has over ${BYTES_AT_MOST} bytes`)
  if (!/^application\/([\w.-]+\+)?json\b/i.test(answer.headers['content-type'] ?? ''))
    throw new DocumentError('the answer is no JSON')
  const value = parse(answer.body)
  if (!Value.Check(Shape, value)) throw new DocumentError('the document lacks client_id or redirect_uris')
  if (value.client_id !== address) throw new DocumentError('client_id in the document is another one')
  if ((value.token_endpoint_auth_method ?? 'none') !== 'none')
    throw new DocumentError('token_endpoint_auth_method must be none')
  if (!value.redirect_uris.every(isAcceptableRedirect))
    throw new DocumentError('redirect_uris must be https, or http on this machine')
  const fresh_until = new Date(ctx.clock.now() + freshFor(answer.headers['cache-control'])).toISOString()
  return { client_id: address, redirect_uris: [...new Set(value.redirect_uris)], fresh_until }
}

/**
 * The document that an input names, read before the transaction that keeps it. An id that was made here, given back as it was read,
 * names none.
 */
export async function readDocument(
  ctx: Context,
  { oauth_client }: Pick<BotUpdateRequest, 'oauth_client'>,
  status: 400 | 422,
  before: Pick<OAuthClient, 'client_id' | 'document'> | null = null,
): Promise<ClientDocument | undefined> {
  const address = oauth_client?.client_id
  if (!address || (address === before?.client_id && !before.document)) return undefined
  try {
    return await fetchDocument(ctx, address)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    throw new Problem(status, 'invalid', {
      key: 'oauth_client.client_id',
      value: address,
      message: error.message,
    })
  }
}

/** The client with the redirect addresses that its document has now; a text where the document cannot be read. */
export async function currentClient(ctx: Context, client: BotClient): Promise<BotClient | string> {
  if (!client.document || Date.parse(client.document.fresh_until) > ctx.clock.now()) return client
  try {
    const { redirect_uris, fresh_until } = await fetchDocument(ctx, client.client_id)
    const change = { redirect_uris, document: { fresh_until } }
    await transaction(ctx, async (tx) => {
      await lockBot(tx, client.bot_id)
      const kept = await readClient(tx, client.bot_id)
      if (kept?.client_id === client.client_id) await writeClient(tx, client.bot_id, { ...kept, ...change })
    })
    return { ...client, ...change }
  } catch (error) {
    if (error instanceof DocumentError) return error.message
    throw error
  }
}
