import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { MINUTE_MS } from '../platform/time.js'
import {
  insertPasskey,
  listPasskeysOf,
  notePasskeyUse,
  type PasskeyRow,
  putChallenge,
  takeChallenge,
} from './second-factor-queries.js'

/** Loaded when somebody has a passkey: three hundred modules that few starts need. */
const library = () => import('@simplewebauthn/server')

const CHALLENGE_MS = 5 * MINUTE_MS

type Transports = NonNullable<RegistrationResponseJSON['response']['transports']>

/** For which site passkeys are made: that of the client. */
function siteOf(ctx: Context) {
  const { origin, hostname } = new URL(ctx.config.app_url)
  return { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: false }
}

/** Browsers make passkeys for names alone, not for addresses. */
export function arePasskeysPossible(ctx: Context): boolean {
  return isIP(siteOf(ctx).expectedRPID.replace(/^\[|\]$/g, '')) === 0
}

const idOf = ({ credential_id, transports }: PasskeyRow) => ({
  id: credential_id,
  transports: transports as Transports,
})

const expiryOf = (ctx: Context) => new Date(ctx.clock.now() + CHALLENGE_MS)

/** What the browser needs to make a passkey; those that are there already are not made twice. */
export async function offerPasskey(
  tx: Tx,
  ctx: Context,
  user: { id: number; email: string },
  workspace: string,
) {
  const known = await listPasskeysOf(tx, user.id)
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: workspace,
    rpID: siteOf(ctx).expectedRPID,
    userID: new TextEncoder().encode(String(user.id)),
    userName: user.email,
    attestationType: 'none',
    excludeCredentials: known.map(idOf),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  await putChallenge(tx, user.id, 'add', options.challenge, expiryOf(ctx))
  return options
}

/** Keeps the passkey that the browser made; undefined where its answer does not fit what was asked. */
export async function keepPasskey(
  tx: Tx,
  ctx: Context,
  userId: number,
  { name, answer }: { name: string; answer: unknown },
): Promise<PasskeyRow | undefined> {
  const expectedChallenge = await takeChallenge(tx, userId, 'add', now(ctx.clock))
  if (!expectedChallenge) return undefined
  const response = answer as RegistrationResponseJSON
  const { verifyRegistrationResponse } = await library()
  const made = await verifyRegistrationResponse({ response, expectedChallenge, ...siteOf(ctx) }).catch(
    () => null,
  )
  if (!made?.verified) return undefined
  const { id, publicKey, counter, transports = [] } = made.registrationInfo.credential
  return insertPasskey(tx, {
    user_id: userId,
    name,
    credential_id: id,
    public_key: Buffer.from(publicKey),
    counter,
    transports,
    created_at: now(ctx.clock),
  })
}

/** What a known passkey has to sign; null where there is none. */
export async function askForPasskey(tx: Tx, ctx: Context, userId: number) {
  const known = await listPasskeysOf(tx, userId)
  if (known.length === 0) return null
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({
    rpID: siteOf(ctx).expectedRPID,
    allowCredentials: known.map(idOf),
    userVerification: 'preferred',
  })
  await putChallenge(tx, userId, 'sign_in', options.challenge, expiryOf(ctx))
  return options
}

/** Whether one of the passkeys signed what was asked. */
export async function takePasskey(tx: Tx, ctx: Context, userId: number, answer: unknown): Promise<boolean> {
  const expectedChallenge = await takeChallenge(tx, userId, 'sign_in', now(ctx.clock))
  const response = answer as AuthenticationResponseJSON
  const row = (await listPasskeysOf(tx, userId)).find(({ credential_id }) => credential_id === response.id)
  if (!expectedChallenge || !row) return false
  const credential = { ...idOf(row), publicKey: new Uint8Array(row.public_key), counter: row.counter }
  const asked = { response, expectedChallenge, credential, ...siteOf(ctx) }
  const { verifyAuthenticationResponse } = await library()
  const result = await verifyAuthenticationResponse(asked).catch(() => null)
  if (!result?.verified) return false
  await notePasskeyUse(tx, row.id, result.authenticationInfo.newCounter, now(ctx.clock))
  return true
}
