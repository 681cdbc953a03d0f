import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addPasskey,
  beginSecondFactor,
  confirmTotp,
  getPreferences,
  getProfile,
  getSecondFactor,
  getSession,
  removeTotp,
  renewRecoveryCodes,
  resetSecondFactor,
  signIn,
  startPasskey,
  startTotp,
  updateWorkspaceSettings,
} from '@parley/contract'
import { createClient } from '@parley/sdk/contract'
import { Secret, TOTP } from 'otpauth'
import { OWNER } from '../testing/cluster.js'
import { type World, world } from '../testing/world.js'

const { email, password } = OWNER

const visitor = ({ url }: World) => createClient({ base_url: `${url}/v1` })
const enter = (stage: World, proof: object = {}) =>
  visitor(stage).call(signIn, { body: { email, password, ...proof } })
const codeOf = ({ clock }: World, secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() })

async function auditKeys({ ctx }: World) {
  const rows = await ctx.db.selectFrom('audit_events').select('event_key').orderBy('sequence').execute()
  return rows.map(({ event_key }) => event_key)
}

/** The owner with an authenticator app. */
async function protectedOwner(stage: World) {
  const session = await stage.as(stage.owner.id, { session: true })
  const { data } = await session.call(startTotp, { body: { password } })
  const confirmed = await session.call(confirmTotp, { body: { code: codeOf(stage, data.secret) } })
  stage.clock.advance(30_000)
  return { session, secret: data.secret, uri: data.uri, codes: confirmed.data.recovery_codes }
}

test('a sign-in asks for the code of the app, which works once', async (t) => {
  const stage = await world(t)
  const { session, secret, uri, codes } = await protectedOwner(stage)
  assert.match(uri, /^otpauth:\/\/totp\/Parley:owner%40parley\.local\?.*secret=/)
  assert.equal(codes.length, 10)
  const { data } = await session.call(getSecondFactor)
  assert.deepEqual([data.totp, data.recovery_codes_left, data.required], [true, 10, false])

  await assert.rejects(enter(stage), { status: 401, code: 'second_factor_required' })
  const { data: begun } = await visitor(stage).call(beginSecondFactor, { body: { email, password } })
  assert.deepEqual(begun, { methods: ['code'], passkey: null })
  const wrong = { status: 401, code: 'invalid_second_factor' }
  await assert.rejects(enter(stage, { code: '000000' }), wrong)
  const code = codeOf(stage, secret)
  assert.equal(
    (await enter(stage, { code: `${code.slice(0, 3)} ${code.slice(3)}` })).data.user.id,
    stage.owner.id,
  )
  await assert.rejects(enter(stage, { code }), wrong)
  stage.clock.advance(30_000)
  await assert.rejects(
    enter(stage, { code }),
    wrong,
    'a code that was used does not come back with the window',
  )
  await enter(stage, { code: codeOf(stage, secret) })
  const keys = (await auditKeys(stage)).filter((key) => key.startsWith('user_2fa'))
  const failed = 'user_2fa_fail'
  assert.deepEqual(keys, [failed, 'user_2fa_success', failed, failed, 'user_2fa_success'])
})

test('a recovery code stands in for the app, once; new ones end the old ones', async (t) => {
  const stage = await world(t)
  const { session, codes } = await protectedOwner(stage)
  const wrong = { status: 401, code: 'invalid_second_factor' }
  await enter(stage, { code: codes[0]?.toUpperCase().replaceAll('-', ' ') })
  await assert.rejects(enter(stage, { code: codes[0] }), wrong)
  await assert.rejects(session.call(renewRecoveryCodes, { body: { password: 'wrong' } }), { status: 422 })
  const { data } = await session.call(renewRecoveryCodes, { body: { password } })
  await assert.rejects(enter(stage, { code: codes[1] }), wrong)
  await enter(stage, { code: data.recovery_codes[0] })

  await assert.rejects(session.call(removeTotp, { body: { password: 'wrong' } }), { status: 422 })
  await session.call(removeTotp, { body: { password } })
  assert.equal((await session.call(getSecondFactor)).data.recovery_codes_left, 0)
  await enter(stage)
  assert.ok((await auditKeys(stage)).includes('user_2fa_disabled'))
})

test('where the workspace asks for a second factor, people without one can only set it up', async (t) => {
  const stage = await world(t)
  const { session } = await protectedOwner(stage)
  const alice = await stage.as(stage.alice.id, { session: true })
  await alice.call(getPreferences)
  await session.call(updateWorkspaceSettings, { body: { second_factor: 'required' } })
  await assert.rejects(alice.call(getPreferences), { status: 403, code: 'not_authorized' })
  assert.equal((await alice.call(getSession)).data.second_factor_missing, true)
  await stage.alice.call(getProfile)
  await session.call(getPreferences)
  assert.equal((await session.call(getSession)).data.second_factor_missing, false)

  const password_hash = await stage.ctx.passwords.hash('open sesame')
  await stage.ctx.db.updateTable('users').set({ password_hash }).where('id', '=', stage.alice.id).execute()
  const { data } = await alice.call(startTotp, { body: { password: 'open sesame' } })
  await assert.rejects(alice.call(confirmTotp, { body: { code: '12' } }), { status: 422 })
  await alice.call(confirmTotp, { body: { code: codeOf(stage, data.secret) } })
  await alice.call(getPreferences)
  await assert.rejects(alice.call(startTotp, { body: { password: 'open sesame' } }), { status: 409 })

  const admin = await stage.as(stage.admin.id, { session: true })
  const reset = (id: number) => session.call(resetSecondFactor, { params: { id } })
  await assert.rejects(admin.call(resetSecondFactor, { params: { id: stage.alice.id } }), { status: 403 })
  await reset(stage.alice.id)
  await assert.rejects(alice.call(getPreferences), { status: 403 })
  await assert.rejects(reset(stage.alice.id), { status: 404 })
})

test('an admin takes away the second factor of others, but not that of the owner', async (t) => {
  const stage = await world(t)
  await protectedOwner(stage)
  const admin = await stage.as(stage.admin.id, { session: true })
  const owner = { params: { id: stage.owner.id } }
  await assert.rejects(admin.call(resetSecondFactor, owner), { status: 403, code: 'owner_protected' })
})

test('a passkey is asked for by a challenge that works once, and what nobody asked for is refused', async (t) => {
  const stage = await world(t)
  const session = await stage.as(stage.owner.id, { session: true })
  await assert.rejects(session.call(startPasskey, { body: { password: 'wrong' } }), { status: 422 })
  const { data } = await session.call(startPasskey, { body: { password } })
  assert.equal((data.user as { name: string }).name, email)
  for (const answer of [{}, { id: 'x', response: { clientDataJSON: 'x' } }])
    await assert.rejects(session.call(addPasskey, { body: { name: 'key', answer } }), { status: 422 })
  await assert.rejects(session.call(addPasskey, { body: { name: ' ', answer: {} } }), { code: 'blank' })
})
