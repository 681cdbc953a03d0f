import { isDeepStrictEqual } from 'node:util'
import {
  botUpdated,
  ENDPOINTS_MAX,
  type Endpoint,
  type EndpointRequest,
  type EndpointRotation,
  type EndpointUpdateRequest,
  type EndpointWithSecret,
} from '@parley/contract'
import { auditOf } from '../../bots/audit.js'
import { emitBotEvent } from '../../bots/emit.js'
import { lockBot } from '../../bots/queries.js'
import { rotateSigningSecret } from '../../bots/rotate.js'
import { setOwnWebhook, updateBot } from '../../bots/update.js'
import type { Actor } from '../../platform/actor.js'
import { record } from '../../platform/audit/record.js'
import { now } from '../../platform/clock.js'
import type { Context } from '../../platform/context.js'
import type { Tx } from '../../platform/db/index.js'
import { transaction } from '../../platform/db/transaction.js'
import { countText } from '../../platform/http/fault-text.js'
import { found, Problem } from '../../platform/problem.js'
import { cancelWaitingAt } from '../lane-queries.js'
import { botReactions, resumeAddress } from '../outgoing.js'
import { headerColumns, newKey } from './keys.js'
import { ensureLinks, loadBot, loadEndpoint, loadSecretive, type Whose } from './load.js'
import { presentEndpoint } from './present.js'
import {
  countEndpoints,
  deleteEndpointRow,
  type EndpointRow,
  findEndpointNamed,
  insertEndpoint,
  updateEndpointKey,
  updateEndpointRow,
} from './queries.js'
import { checkEndpoint } from './settings.js'

const GRACE_S = 86_400

async function lock(tx: Tx, { bot_id }: Whose) {
  found(await lockBot(tx, bot_id), { key: 'id', value: bot_id })
}

async function ensureNameFree(tx: Tx, botId: number, name: string, own?: number) {
  const other = await findEndpointNamed(tx, botId, name)
  if (other && other.id !== own)
    throw new Problem(422, 'already_exists', {
      key: 'name',
      value: name,
      message: 'another endpoint of the bot has this name: choose another',
    })
}

/** Tells editors and the audit log of a changed endpoint; keys and headers stay out of both. */
async function tell(
  tx: Tx,
  ctx: Context,
  actor: Actor,
  bot_id: number,
  [before, after]: [EndpointRow | undefined, EndpointRow | undefined],
) {
  const summary = (row: EndpointRow | undefined) =>
    row
      ? { name: row.name, url: row.url, events: row.events, chat_ids: row.chat_ids, disabled: row.disabled }
      : null
  const changes = { endpoint: { previous: summary(before), new: summary(after) } }
  await record(tx, ctx, actor, auditOf(actor, bot_id, 'bot_webhook_settings_updated', { changes }))
  await emitBotEvent(tx, ctx, actor, botUpdated, bot_id)
}

/** A further address of a bot; its secret is in this answer and never again. */
export async function createEndpoint(
  ctx: Context,
  actor: Actor,
  whose: Whose,
  input: EndpointRequest,
): Promise<EndpointWithSecret> {
  const { bot_id } = whose
  const { events = ['message_new'], headers = {}, signature = 'hmac' } = input
  await loadBot(ctx.db, actor, whose, 'update')
  ensureLinks(actor, whose, [], events, true)
  await checkEndpoint(ctx, input)
  const { columns, signing_secret } = newKey(ctx.secret, bot_id, signature)
  return transaction(ctx, async (tx) => {
    await lock(tx, whose)
    await loadBot(tx, actor, whose, 'update')
    const count = await countEndpoints(tx, bot_id)
    if (count >= ENDPOINTS_MAX)
      throw new Problem(422, 'max_length', { key: 'endpoints', message: countText(ENDPOINTS_MAX, count + 1) })
    const name = input.name.trim()
    await ensureNameFree(tx, bot_id, name)
    const id = await insertEndpoint(tx, {
      bot_id,
      name,
      url: input.url,
      events: [...new Set(events)],
      chat_ids: input.chat_ids ?? null,
      trigger: input.trigger ?? 'commands',
      ...headerColumns(ctx.secret, bot_id, headers),
      ...columns,
      created_at: now(ctx.clock),
    })
    const row = await loadEndpoint(tx, bot_id, id)
    await tell(tx, ctx, actor, bot_id, [undefined, row])
    return { ...presentEndpoint(row), signing_secret }
  })
}

/** The address in the settings of the bot: what it has in common with endpoints is changed there. */
async function updateDefault(ctx: Context, actor: Actor, whose: Whose, input: EndpointUpdateRequest) {
  const { url, events, trigger, ...others } = input
  const shown = presentEndpoint(await loadEndpoint(ctx.db, whose.bot_id, 0))
  const closed = {
    ...others,
    ...(whose.own && { ...(events && { events }), ...(trigger && { trigger }) }),
  }
  const unknown = Object.entries(closed)
    .filter(([name, value]) => !isDeepStrictEqual(value, shown[name as keyof Endpoint]))
    .map(([name]) => name)
  if (unknown.length > 0)
    throw new Problem(422, 'not_applicable', {
      key: unknown[0] as string,
      message: 'endpoint 0 is the address in the settings of the bot, which have no such field',
    })
  const settings = {
    ...(url !== undefined && { outgoing_url: url }),
    ...(events && { events }),
    ...(trigger && { trigger_on: trigger }),
  }
  if (!whose.own) await updateBot(ctx, actor, botReactions, whose.bot_id, { webhook: settings })
  else if (url !== undefined) await setOwnWebhook(ctx, actor, botReactions, url)
}

/** Changes the fields that are passed. What waits goes to a new address at once, and is dropped where none is left. */
export async function updateEndpoint(
  ctx: Context,
  actor: Actor,
  whose: Whose,
  endpointId: number,
  input: EndpointUpdateRequest,
): Promise<Endpoint> {
  const { bot_id } = whose
  await loadBot(ctx.db, actor, whose, 'update')
  if (endpointId === 0) {
    await updateDefault(ctx, actor, whose, input)
    return presentEndpoint(await loadEndpoint(ctx.db, bot_id, 0))
  }
  const { headers, ...fields } = input
  await loadEndpoint(ctx.db, bot_id, endpointId)
  await checkEndpoint(ctx, input)
  return transaction(ctx, async (tx) => {
    await lock(tx, whose)
    await loadBot(tx, actor, whose, 'update')
    const before = await loadEndpoint(tx, bot_id, endpointId)
    const aimed = fields.url !== undefined || headers !== undefined
    ensureLinks(actor, whose, before.events, fields.events ?? before.events, aimed)
    if (fields.name !== undefined) await ensureNameFree(tx, bot_id, fields.name.trim(), endpointId)
    const change = {
      ...changeOf(fields),
      ...(headers && headerColumns(ctx.secret, bot_id, headers)),
    }
    if (Object.keys(change).length > 0) await updateEndpointRow(tx, endpointId, change)
    const after = await loadEndpoint(tx, bot_id, endpointId)
    await moveWaiting(tx, ctx, bot_id, before, after)
    if (!isDeepStrictEqual(before, after)) await tell(tx, ctx, actor, bot_id, [before, after])
    return presentEndpoint(await loadEndpoint(tx, bot_id, endpointId))
  })
}

function changeOf({ name, url, events, chat_ids, trigger, disabled }: EndpointUpdateRequest) {
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events: [...new Set(events)] }),
    ...(chat_ids !== undefined && { chat_ids }),
    ...(trigger !== undefined && { trigger }),
    ...(disabled !== undefined && { disabled }),
  }
}

async function moveWaiting(tx: Tx, ctx: Context, bot_id: number, before: EndpointRow, after: EndpointRow) {
  const address = { bot_id, endpoint_id: after.id }
  if (after.disabled && !before.disabled) await cancelWaitingAt(tx, address)
  else if (!after.disabled && (before.disabled || before.url !== after.url))
    await resumeAddress(tx, ctx, address)
}

export async function deleteEndpoint(ctx: Context, actor: Actor, whose: Whose, endpointId: number) {
  const { bot_id } = whose
  await loadBot(ctx.db, actor, whose, 'update')
  await loadEndpoint(ctx.db, bot_id, endpointId)
  if (endpointId === 0) return updateDefault(ctx, actor, whose, { url: '' })
  return transaction(ctx, async (tx) => {
    await lock(tx, whose)
    await loadBot(tx, actor, whose, 'update')
    const before = await loadEndpoint(tx, bot_id, endpointId)
    await cancelWaitingAt(tx, { bot_id, endpoint_id: endpointId })
    await deleteEndpointRow(tx, endpointId)
    await tell(tx, ctx, actor, bot_id, [before, undefined])
  })
}

/** The next attempt is signed with the new key already, and with the old one as well while its grace lasts. */
export async function rotateEndpointSecret(
  ctx: Context,
  actor: Actor,
  whose: Whose,
  endpointId: number,
  { grace_s = GRACE_S, signature }: EndpointRotation,
): Promise<EndpointWithSecret> {
  const { bot_id } = whose
  await loadSecretive(ctx.db, actor, whose, 'rotate')
  if (endpointId === 0) return rotateDefault(ctx, actor, whose, grace_s, signature)
  return transaction(ctx, async (tx) => {
    await lock(tx, whose)
    await loadSecretive(tx, actor, whose, 'rotate')
    const before = await loadEndpoint(tx, bot_id, endpointId)
    const kind = signature ?? (before.signature as 'hmac' | 'ed25519')
    const { columns, signing_secret } = newKey(ctx.secret, bot_id, kind)
    const until = grace_s > 0 ? new Date(ctx.clock.now() + grace_s * 1000) : null
    await updateEndpointKey(tx, endpointId, columns, until)
    await emitBotEvent(tx, ctx, actor, botUpdated, bot_id)
    return { ...presentEndpoint(await loadEndpoint(tx, bot_id, endpointId)), signing_secret }
  })
}

async function rotateDefault(
  ctx: Context,
  actor: Actor,
  { bot_id, own }: Whose,
  grace_s: number,
  signature: string | undefined,
): Promise<EndpointWithSecret> {
  if (own || (signature ?? 'hmac') !== 'hmac')
    throw new Problem(422, 'not_applicable', {
      key: own ? 'endpoint_id' : 'signature',
      message: own
        ? 'the people who manage a bot rotate the secret of its first address'
        : 'endpoint 0 signs with HMAC alone: make a further endpoint',
    })
  const { row } = await rotateSigningSecret(ctx, actor, bot_id, grace_s)
  return { ...presentEndpoint(await loadEndpoint(ctx.db, bot_id, 0)), signing_secret: row.signing_secret }
}

/** Makes waiting deliveries due at once, and resets the failure count. */
export function resumeEndpoint(ctx: Context, actor: Actor, whose: Whose, endpointId: number) {
  return transaction(ctx, async (tx) => {
    await loadBot(tx, actor, whose, 'resume')
    await loadEndpoint(tx, whose.bot_id, endpointId)
    await resumeAddress(tx, ctx, { bot_id: whose.bot_id, endpoint_id: endpointId })
  })
}
