import { Secret, TOTP } from 'otpauth'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { seal, unseal } from '../platform/seal.js'
import { findTotp, putTotp, takeStep } from './second-factor-queries.js'

const PERIOD_S = 30
const SECRET_BYTES = 20
/** Clocks of phones are off by a little: the code before and the one after are taken too. */
const WINDOW = 1

const purposeOf = (userId: number) => `totp\0${userId}`

function totpOf(secret: Secret, issuer: string, label: string) {
  return new TOTP({ issuer, label, secret, period: PERIOD_S })
}

/** Makes a secret, which counts once its first code was confirmed. */
export async function makeTotp(tx: Tx, ctx: Context, user: { id: number; email: string }, issuer: string) {
  const secret = new Secret({ size: SECRET_BYTES })
  await putTotp(tx, user.id, seal(ctx.secret, purposeOf(user.id), Buffer.from(secret.bytes)))
  return { secret: secret.base32, uri: totpOf(secret, issuer, user.email).toString() }
}

/** Whether a code fits now and was not used before. */
export async function takeCode(tx: Tx, ctx: Context, userId: number, code: string): Promise<boolean> {
  const row = await findTotp(tx, userId)
  const bytes = row && unseal(ctx.secret, purposeOf(userId), row.sealed_secret)
  if (!bytes) return false
  const secret = new Secret({ buffer: new Uint8Array(bytes).buffer })
  const timestamp = ctx.clock.now()
  const delta = totpOf(secret, '', '').validate({ token: code, timestamp, window: WINDOW })
  if (delta === null) return false
  return takeStep(tx, userId, Math.floor(timestamp / 1000 / PERIOD_S) + delta)
}
