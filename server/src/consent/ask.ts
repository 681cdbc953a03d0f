import { currentClient } from '../bots/client-document.js'
import { type BotClient, findClient } from '../oauth/client-queries.js'
import { findTokenPolicy } from '../oauth/queries.js'
import { matchesRedirect } from '../oauth/redirects.js'
import { resourceAt } from '../oauth/resources.js'
import type { Actor, Resource } from '../platform/actor.js'
import { isAdmin } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { rawQuery } from '../platform/http/read-query.js'
import type { RefusalCode } from './words.js'

/** A page that says no. */
export class Refusal extends Error {
  constructor(
    readonly status: 400 | 403,
    readonly code: RefusalCode,
    /** What of it, for the developer of the bot. */
    readonly detail?: string,
  ) {
    super(code)
  }
}

/** What a bot's link asks for. */
export interface Ask {
  client: BotClient
  redirect_uri: string
  state: string | undefined
  code_challenge: string | null
  /** What alone the token is to be for. */
  resource: Resource | null
}

const STATE_MAX = 4096

function valuesOf(url: string): Map<string, string> {
  const values = new Map<string, string>()
  for (const [name, [value = '', ...more]] of rawQuery(url)) {
    if (more.length > 0 || value.includes('\0')) throw new Refusal(400, 'broken_link', name)
    if (value !== '') values.set(name, value)
  }
  return values
}

function challengeOf(values: Map<string, string>, client: BotClient): string | null {
  const challenge = values.get('code_challenge')
  if (!challenge) {
    if (client.confidential) return null
    throw new Refusal(400, 'broken_link', 'code_challenge is missing')
  }
  if (values.get('code_challenge_method') !== 'S256')
    throw new Refusal(400, 'broken_link', 'code_challenge_method must be S256')
  if (!/^[\w-]{43}$/.test(challenge)) throw new Refusal(400, 'broken_link', 'code_challenge')
  return challenge
}

function resourceOf(values: Map<string, string>, { config }: Context): Resource | null {
  const address = values.get('resource')
  if (address === undefined) return null
  const resource = resourceAt(config, address)
  if (!resource) throw new Refusal(400, 'other_resource', 'resource')
  return resource
}

/** Reads a bot's link; undefined where none is asked for, which means that a device code is to be typed. */
export async function readAsk(ctx: Context, url: string): Promise<Ask | undefined> {
  const values = valuesOf(url)
  const clientId = values.get('client_id')
  if (clientId === undefined) return undefined
  const known = await findClient(ctx.db, clientId)
  if (!known) throw new Refusal(400, 'unknown_client')
  const client = await currentClient(ctx, known)
  if (typeof client === 'string') throw new Refusal(400, 'bad_document', client)
  const redirect_uri = values.get('redirect_uri') ?? ''
  if (!matchesRedirect(client.redirect_uris, redirect_uri)) throw new Refusal(400, 'unknown_redirect')
  if (values.get('response_type') !== 'code')
    throw new Refusal(400, 'broken_link', 'response_type must be code')
  const state = values.get('state')
  if (state && state.length > STATE_MAX) throw new Refusal(400, 'broken_link', 'state is too long')
  const code_challenge = challengeOf(values, client)
  return { client, redirect_uri, state, code_challenge, resource: resourceOf(values, ctx) }
}

/** Guests let nobody act for them; where personal tokens are for admins alone, neither do employees. */
export async function ensureMayAuthorize(ctx: Context, actor: Actor) {
  // In front of a client a guest passes for a multi-guest, so the row is asked.
  const { role, personal_tokens } = await findTokenPolicy(ctx.db, actor.user_id)
  if (role === 'guest') throw new Refusal(403, 'no_access')
  if (personal_tokens === 'admins' && !isAdmin(actor)) throw new Refusal(403, 'admins_only')
}
