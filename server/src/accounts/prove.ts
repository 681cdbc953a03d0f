import { type Actor, actingFor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import type { Context } from '../platform/context.js'
import type { Db, Tx } from '../platform/db/index.js'
import { OAuthProblem } from '../platform/problem.js'
import type { UserRow } from '../users/queries.js'
import { askForPasskey, takePasskey } from './passkeys.js'
import { useRecoveryCode } from './recovery-codes.js'
import { type Factors, findFactors } from './second-factor-queries.js'
import { takeCode } from './totp.js'

/** The second factor, sent with e-mail and password. */
export interface Proof {
  code?: string
  passkey?: unknown
}

const isOn = ({ totp, passkeys }: Factors) => totp || passkeys > 0

export async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  return isOn(await findFactors(db, userId))
}

export function secondFactorNeeded(): OAuthProblem {
  return new OAuthProblem(
    401,
    'second_factor_required',
    'The account has a second factor: send `code` or `passkey`',
  )
}

/** What the account can be proved with. A recovery code is a code too. */
export async function offerMethods(tx: Tx, ctx: Context, userId: number) {
  const factors = await findFactors(tx, userId)
  const passkey = await askForPasskey(tx, ctx, userId)
  const code = factors.totp || factors.recovery_codes > 0
  return {
    methods: [...(code && isOn(factors) ? ['code' as const] : []), ...(passkey ? ['passkey' as const] : [])],
    passkey: passkey && { ...passkey },
  }
}

async function fits(tx: Tx, ctx: Context, userId: number, { code, passkey }: Proof, factors: Factors) {
  if (passkey !== undefined) return takePasskey(tx, ctx, userId, passkey)
  const bare = code?.replaceAll(/\s/g, '') ?? ''
  if (factors.totp && /^\d{6}$/.test(bare)) return takeCode(tx, ctx, userId, bare)
  return useRecoveryCode(tx, userId, bare)
}

/**
 * Whether somebody whose password fits may come in. The transaction has to commit either way: it notes the attempt, and what
 * was tried is used up.
 */
export async function passesSecondFactor(
  tx: Tx,
  ctx: Context,
  caller: Pick<Actor, 'ip_address' | 'user_agent'>,
  user: UserRow,
  proof: Proof,
): Promise<boolean> {
  const factors = await findFactors(tx, user.id)
  if (!isOn(factors)) return true
  if (proof.code === undefined && proof.passkey === undefined) throw secondFactorNeeded()
  const passed = await fits(tx, ctx, user.id, proof, factors)
  const actor = { ...actingFor(user.id, 'user', 'corporation'), ...caller }
  const event_key = passed ? 'user_2fa_success' : 'user_2fa_fail'
  await record(tx, ctx, actor, { event_key, entity_type: 'User', entity_id: user.id })
  return passed
}
