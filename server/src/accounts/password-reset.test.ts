import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  changeOwnPassword,
  getPasswordReset,
  getProfile,
  getSession,
  requestPasswordReset,
  resetPassword,
  setPreferences,
  signIn,
  updateUser,
} from '@parley/contract'
import { createClient } from '@parley/sdk/contract'
import { outboxFolder } from '../open-context.js'
import { createOutboxMail } from '../platform/mail/outbox.js'
import { OWNER as ACCOUNT } from '../testing/cluster.js'
import { type World, world } from '../testing/world.js'

const OWNER = 'owner@parley.local'
const PASSWORD = 'battery staple'

function visitor({ url }: World, token?: string) {
  return createClient({ base_url: `${url}/v1`, token })
}

async function letters({ ctx, clock }: World) {
  return createOutboxMail({ folder: outboxFolder(ctx.config), clock }).list()
}

/** Asks for a new password and gives the token of the newest letter. */
async function asked(stage: World, email = OWNER): Promise<string> {
  await visitor(stage).call(requestPasswordReset, { body: { email } })
  await stage.drain()
  const letter = (await letters(stage)).filter(({ to }) => to === OWNER).at(-1)
  return /\/reset\/(\S+)/.exec(letter?.text ?? '')?.[1] ?? ''
}

const resetting = (token: string, password = PASSWORD) => ({ params: { token }, body: { password } })

test('a forgotten password is set anew by a link, which signs in and ends other sessions', async (t) => {
  const stage = await world(t)
  const enter = async (password: string) =>
    (await visitor(stage).call(signIn, { body: { email: OWNER, password } })).data
  const before = visitor(stage, (await enter(ACCOUNT.password)).token)
  const token = await asked(stage, ` ${OWNER.toUpperCase()} `)
  const shown = await visitor(stage).call(getPasswordReset, { params: { token } })
  assert.equal(shown.data.email, OWNER)

  const { data } = await visitor(stage).call(resetPassword, resetting(token))
  assert.equal(data.user.id, stage.owner.id)
  await visitor(stage, data.token).call(getSession)
  await assert.rejects(before.call(getSession), { status: 401, code: 'invalid_token' })
  await stage.owner.call(getProfile)
  await assert.rejects(enter(ACCOUNT.password), { status: 401, code: 'invalid_grant' })
  await enter(PASSWORD)
})

test('nobody learns whether an account exists, and those who cannot sign in get no letter', async (t) => {
  const stage = await world(t)
  await stage.person({ nickname: 'sue', suspended: true })
  const someone = visitor(stage)
  for (const email of ['nobody@example.org', 'sue@example.org', 'alice@example.org', 'no mail at all'])
    await someone.call(requestPasswordReset, { body: { email } })
  await stage.drain()
  assert.deepEqual(await letters(stage), [])
  await assert.rejects(someone.call(requestPasswordReset, { body: {} } as never), {
    status: 422,
    code: 'blank',
  })
})

test('the letter is in the language that its reader chose for the screen', async (t) => {
  const stage = await world(t)
  await stage.owner.call(setPreferences, { body: { preferences: { locale: 'ru' } } })
  assert.notEqual(await asked(stage), '')
  const [letter] = await letters(stage)
  assert.match(letter?.subject ?? '', /^Новый пароль для /)
  assert.match(letter?.text ?? '', /в течение часа/)
})

test('a link works once, even when two use it at the same time', async (t) => {
  const stage = await world(t)
  const token = await asked(stage)
  const attempts = ['first password', 'second password'].map((password) =>
    visitor(stage).call(resetPassword, resetting(token, password)),
  )
  const states = (await Promise.allSettled(attempts)).map(({ status }) => status)
  assert.deepEqual(states.sort(), ['fulfilled', 'rejected'])
  await assert.rejects(visitor(stage).call(resetPassword, resetting(token)), { status: 404 })
  await assert.rejects(visitor(stage).call(getPasswordReset, { params: { token } }), { status: 404 })
})

test('a link works for one hour, a newer one ends it, and letters go out once a minute', async (t) => {
  const stage = await world(t)
  const show = (token: string) => visitor(stage).call(getPasswordReset, { params: { token } })
  const first = await asked(stage)
  assert.equal(await asked(stage), first)
  assert.equal((await letters(stage)).length, 1)
  stage.clock.advance(60_000)
  const second = await asked(stage)
  assert.notEqual(second, first)
  await assert.rejects(show(first), { status: 404, code: 'not_found' })
  await show(second)
  stage.clock.advance(3_600_000)
  await assert.rejects(show(second), { status: 404, code: 'not_found' })
})

test('a changed password or mail ends the link', async (t) => {
  const stage = await world(t)
  const { data } = await visitor(stage).call(signIn, { body: { email: OWNER, password: ACCOUNT.password } })
  const show = (token: string) => visitor(stage).call(getPasswordReset, { params: { token } })
  const first = await asked(stage)
  const body = { current_password: ACCOUNT.password, password: PASSWORD }
  await visitor(stage, data.token).call(changeOwnPassword, { body })
  await assert.rejects(show(first), { status: 404 })
  stage.clock.advance(60_000)
  const second = await asked(stage)
  await show(second)
  const email = 'other@example.org'
  await stage.owner.call(updateUser, { params: { id: stage.owner.id }, body: { user: { email } } })
  await assert.rejects(show(second), { status: 404 })
})

test('a forged or broken link opens nothing, and a short password sets nothing', async (t) => {
  const stage = await world(t)
  const token = await asked(stage)
  const forged = [
    `${stage.owner.id}.${'A'.repeat(43)}`,
    `${stage.alice.id}.${token.split('.')[1]}`,
    'x',
    '%00',
  ]
  for (const attempt of forged) {
    await assert.rejects(visitor(stage).call(getPasswordReset, { params: { token: attempt } }), {
      status: 404,
    })
    await assert.rejects(visitor(stage).call(resetPassword, resetting(attempt)), { status: 404 })
  }
  const short = visitor(stage).call(resetPassword, resetting(token, 'short'))
  await assert.rejects(short, { status: 422, code: 'min_length' })
})

test('requests for a new password are counted with sign-ins', async (t) => {
  const stage = await world(t, { limits: true })
  stage.clock.freeze(true)
  const ask = () => visitor(stage).call(requestPasswordReset, { body: { email: 'nobody@example.org' } })
  const results = await Promise.allSettled(Array.from({ length: 22 }, ask))
  assert.equal(results.filter(({ status }) => status === 'rejected').length, 2)
})
