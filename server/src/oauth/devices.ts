import { randomInt } from 'node:crypto'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { hashToken } from '../platform/http/holders.js'
import { OAuthProblem } from '../platform/problem.js'
import { CLI_CLIENT_ID } from './clients.js'
import {
  deleteDeviceCode,
  deleteLogin,
  insertDeviceCode,
  lockDeviceCode,
  notePoll,
  settleDeviceCode,
} from './device-queries.js'
import { recordRevoked } from './grants.js'
import { newTokenValue, scopesOf } from './tokens.js'

export const DEVICE_LIFETIME_S = 600
export const POLL_INTERVAL_S = 5
const DEVICE_NAME_MAX = 255
/** No vowels, so that no word comes out. */
const CONSONANTS = 'BCDFGHJKLMNPQRSTVWXZ'

function newUserCode(): string {
  const letters = Array.from({ length: 8 }, () => CONSONANTS[randomInt(CONSONANTS.length)])
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`
}

/** A code as people type it: any case, with or without the dash. */
export function readUserCode(text: string): string {
  const letters = text.toUpperCase().replaceAll(/[^A-Z]/g, '')
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}

/** Begins a sign-in on a device that has no browser. */
export function startDevice(ctx: Context, deviceName: string | undefined) {
  return transaction(ctx, async (tx) => {
    const device_code = newTokenValue()
    const user_code = newUserCode()
    await insertDeviceCode(tx, {
      hash: hashToken(device_code),
      user_code,
      device_name: deviceName?.trim().slice(0, DEVICE_NAME_MAX) || null,
      expires_at: new Date(ctx.clock.now() + DEVICE_LIFETIME_S * 1000),
    })
    return { device_code, user_code }
  })
}

/** Lets the device in as this person, or turns it away; false where it no longer waits. */
export function settleDevice(
  ctx: Context,
  actor: Actor,
  userCode: string,
  state: 'approved' | 'denied',
): Promise<boolean> {
  return transaction(ctx, async (tx) => {
    const scopes = scopesOf(actor.role)
    const answer = { state, user_id: actor.user_id, scopes }
    if (!(await settleDeviceCode(tx, userCode, now(ctx.clock), answer))) return false
    const event_key = `oauth_device_authorization_${state}`
    const details = { client_id: CLI_CLIENT_ID, scopes }
    await record(tx, ctx, actor, { event_key, entity_type: 'User', entity_id: actor.user_id, details })
    return true
  })
}

export type Poll =
  | { refusal: OAuthProblem }
  | { device: { user_id: number; scopes: string[]; device_name: string | null } }

const refusal = (error: string, description: string): Poll => ({
  refusal: new OAuthProblem(400, error, description),
})

/** One question of the device. Refusals are returned and not thrown, since the time of asking must be kept. */
export async function pollDevice(tx: Tx, ctx: Context, deviceCode: string): Promise<Poll> {
  const hash = hashToken(deviceCode)
  const now = ctx.clock.now()
  const row = await lockDeviceCode(tx, hash)
  if (!row) return refusal('invalid_grant', 'The device code is unknown or was used')
  if (row.expires_at.getTime() <= now) return refusal('expired_token', 'The device code has expired')
  if (row.polled_at && now - row.polled_at.getTime() < POLL_INTERVAL_S * 1000)
    return refusal('slow_down', `Ask every ${POLL_INTERVAL_S} seconds at most`)
  if (row.state === 'pending') {
    await notePoll(tx, hash, new Date(now))
    return refusal('authorization_pending', 'The person has not confirmed yet')
  }
  if (row.state === 'denied') return refusal('access_denied', 'The person refused')
  await deleteDeviceCode(tx, hash)
  return {
    device: {
      user_id: row.user_id as number,
      scopes: row.scopes as string[],
      device_name: row.device_name,
    },
  }
}

/** Signs a device of this person out; false where it is none of theirs. */
export function endLogin(ctx: Context, actor: Actor, tokenId: number): Promise<boolean> {
  return transaction(ctx, async (tx) => {
    const ended = await deleteLogin(tx, actor.user_id, tokenId)
    const details = { client_id: CLI_CLIENT_ID, revoked_tokens_count: 1 }
    if (ended) await recordRevoked(tx, ctx, actor, details)
    return ended
  })
}
