import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import { test } from 'node:test'
import {
  acceptInvite,
  changeOwnPassword,
  createUser,
  deleteUser,
  getInvite,
  getInviteLink,
  getProfile,
  getSession,
  resendInvite,
  setPreferences,
  signIn,
  signOut,
  updateUser,
} from '@parley/contract'
import { type ApiFailure, createClient } from '@parley/sdk/contract'
import { outboxFolder } from '../open-context.js'
import { createOutboxMail } from '../platform/mail/outbox.js'
import { createPasswords } from '../platform/passwords.js'
import { OWNER } from '../testing/cluster.js'
import { type World, world } from '../testing/world.js'

const DAY_MS = 24 * 3_600_000

function visitor({ url }: World, token?: string) {
  return createClient({ base_url: `${url}/v1`, token })
}

function mails({ ctx, clock }: World) {
  return createOutboxMail({ folder: outboxFolder(ctx.config), clock }).list()
}

async function auditKeys({ ctx }: World) {
  const rows = await ctx.db.selectFrom('audit_events').selectAll().orderBy('sequence').execute()
  return rows.map(({ event_key, actor_id, entity_id }) => [event_key, actor_id, entity_id])
}

const PASSWORD = 'battery staple'

/** Invites somebody and gives the token of the link that the letter carries. */
async function invited(stage: World, email = 'nora@example.org') {
  const { data } = await stage.admin.call(createUser, { body: { user: { email } } })
  await stage.drain()
  return { id: data.id, token: await linkTo(stage, email) }
}

async function linkTo(stage: World, email: string): Promise<string> {
  const letter = (await mails(stage)).filter(({ to }) => to === email).at(-1)
  return /\/invite\/(\S+)/.exec(letter?.text ?? '')?.[1] ?? ''
}

test('the owner signs in with mail and password and is known by the session', async (t) => {
  const stage = await world(t)
  const { owner } = stage
  const { data } = await visitor(stage).call(signIn, {
    body: { email: 'Owner@Parley.local', password: OWNER.password },
  })
  assert.equal(data.user.id, owner.id)
  const me = await visitor(stage, data.token).call(getSession)
  assert.equal(me.data.role, 'owner')
  assert.equal(me.data.user.email, 'owner@parley.local')
  assert.equal(me.data.workspace.name, 'Parley')
  assert.ok(me.data.scopes.includes('audit_events:read'))
  assert.ok(me.data.user.last_activity_at)
  assert.deepEqual(await auditKeys(stage), [['user_login', owner.id, String(owner.id)]])
})

test('a wrong password, an unknown mail and a bot all sound the same', async (t) => {
  const stage = await world(t)
  const attempt = (email: string, password: string) =>
    visitor(stage).call(signIn, { body: { email, password } })
  for (const [email, password] of [
    ['owner@parley.local', 'wrong'],
    ['nobody@example.org', OWNER.password],
    ['alice@example.org', ''],
  ] as const)
    await assert.rejects(attempt(email, password), { status: 401, code: 'invalid_grant' })
  await assert.rejects(visitor(stage).call(signIn, { body: {} } as never), { status: 422, code: 'blank' })
})

test('sign-ins are counted by address', async (t) => {
  const stage = await world(t, { limits: true })
  stage.clock.freeze(true)
  const attempt = () => visitor(stage).call(signIn, { body: { email: 'nobody@example.org', password: 'x' } })
  const results = await Promise.allSettled(Array.from({ length: 25 }, attempt))
  const statuses = results.map((result) => (result as PromiseRejectedResult).reason.status)
  assert.equal(statuses.filter((status) => status === 429).length, 5)
})

test('signing out ends the session at once', async (t) => {
  const stage = await world(t)
  const { data } = await visitor(stage).call(signIn, {
    body: { email: 'owner@parley.local', password: OWNER.password },
  })
  const session = visitor(stage, data.token)
  await session.call(signOut)
  await assert.rejects(session.call(getSession), { status: 401, code: 'invalid_token' })
  const keys = (await auditKeys(stage)).map(([key]) => key)
  assert.deepEqual(keys, ['user_login', 'user_logout'])
})

test('session operations are closed to other tokens', async (t) => {
  const { owner } = await world(t)
  const refused = { status: 403, code: 'not_authorized' }
  await assert.rejects(owner.call(getSession), refused)
  await assert.rejects(owner.call(signOut), refused)
  const body = { current_password: OWNER.password, password: PASSWORD }
  await assert.rejects(owner.call(changeOwnPassword, { body }), refused)
})

test('the letter of an invitation is in the language of who invites', async (t) => {
  const stage = await world(t)
  await stage.admin.call(setPreferences, { body: { preferences: { locale: 'ru' } } })
  assert.notEqual((await invited(stage)).token, '')
  const [letter] = await mails(stage)
  assert.match(letter?.text ?? '', /^Здравствуйте!\n\nВас пригласили в рабочее пространство «Parley»/)
})

test('an invitation comes by mail and makes an account that can sign in', async (t) => {
  const stage = await world(t)
  const { id, token } = await invited(stage)
  const shown = await visitor(stage).call(getInvite, { params: { token } })
  assert.equal(shown.data.email, 'nora@example.org')
  assert.equal(shown.data.workspace_name, 'Parley')

  const body = { first_name: 'Nora', last_name: 'Lind', password: PASSWORD }
  const { data } = await visitor(stage).call(acceptInvite, { params: { token }, body })
  assert.deepEqual(
    [data.user.id, data.user.first_name, data.user.last_name, data.user.invite_status],
    [id, 'Nora', 'Lind', 'confirmed'],
  )
  await visitor(stage, data.token).call(getProfile)
  await visitor(stage).call(signIn, { body: { email: 'nora@example.org', password: PASSWORD } })
  const told = (await stage.events()).filter(({ type }) => type === 'company_members.confirmed')
  assert.deepEqual(told[0]?.payload.user_ids, [id])
})

test('nobody signs in before accepting', async (t) => {
  const stage = await world(t)
  await invited(stage)
  const attempt = visitor(stage).call(signIn, { body: { email: 'nora@example.org', password: '' } })
  await assert.rejects(attempt, { status: 401, code: 'invalid_grant' })
})

test('a link works once, even when two accept it at the same time', async (t) => {
  const stage = await world(t)
  const { token } = await invited(stage)
  const accept = (first_name: string) =>
    visitor(stage).call(acceptInvite, { params: { token }, body: { first_name, password: PASSWORD } })
  const states = (await Promise.allSettled([accept('A'), accept('B')])).map(({ status }) => status)
  assert.deepEqual(states.sort(), ['fulfilled', 'rejected'])
  await assert.rejects(accept('C'), { status: 404, code: 'not_found' })
  await assert.rejects(visitor(stage).call(getInvite, { params: { token } }), { status: 404 })
})

test('a link works for seven days, and a new one ends the old', async (t) => {
  const stage = await world(t)
  const { id, token } = await invited(stage)
  const show = (token: string) => visitor(stage).call(getInvite, { params: { token } })
  stage.clock.advance(7 * DAY_MS - 1000)
  await show(token)
  stage.clock.advance(1000)
  await assert.rejects(show(token), { status: 404, code: 'not_found' })

  const admin = await stage.as(stage.admin.id, { session: true })
  assert.equal((await admin.call(getInviteLink, { params: { id } })).data.expired, true)
  const again = await admin.call(resendInvite, { params: { id } })
  await stage.drain()
  const fresh = await linkTo(stage, 'nora@example.org')
  assert.notEqual(fresh, token)
  assert.equal(again.data.expired, false)
  assert.ok(again.data.url?.endsWith(fresh))
  await show(fresh)
  await assert.rejects(show(token), { status: 404, code: 'not_found' })
})

test('another mail ends the link that went to the mail of before', async (t) => {
  const stage = await world(t)
  const { id, token } = await invited(stage, 'nora@exmaple.org')
  const show = (token: string) => visitor(stage).call(getInvite, { params: { token } })
  const change = (email: string) =>
    stage.admin.call(updateUser, { params: { id }, body: { user: { email } } })
  await change('Nora@exmaple.org')
  await show(token)
  await change('nora@example.org')
  await assert.rejects(show(token), { status: 404, code: 'not_found' })
  const admin = await stage.as(stage.admin.id, { session: true })
  await admin.call(resendInvite, { params: { id } })
  await stage.drain()
  await show(await linkTo(stage, 'nora@example.org'))
})

test('a forged or broken link opens nothing', async (t) => {
  const stage = await world(t)
  const { id, token } = await invited(stage)
  const other = await invited(stage, 'other@example.org')
  const forged = [
    `${id}.${other.token.split('.')[1]}`,
    `${id}.${'A'.repeat(43)}`,
    `${token}x`,
    `${id}`,
    'x',
    '%00',
  ]
  for (const attempt of forged)
    await assert.rejects(visitor(stage).call(getInvite, { params: { token: attempt } }), { status: 404 })
})

test('no letter goes out when it is not wanted, and the link is there all the same', async (t) => {
  const stage = await world(t)
  const { data } = await stage.admin.call(createUser, {
    body: { user: { email: 'quiet@example.org' }, skip_email_notify: true },
  })
  await stage.drain()
  assert.deepEqual(await mails(stage), [])
  const admin = await stage.as(stage.admin.id, { session: true })
  const link = await admin.call(getInviteLink, { params: { id: data.id } })
  const token = link.data.url?.split('/').at(-1) as string
  await visitor(stage).call(getInvite, { params: { token } })
})

test('with a mail server the link is in the letter alone', async (t) => {
  const stage = await world(t, { env: { PARLEY_SMTP_URL: 'smtp://127.0.0.1:9' } })
  const { data } = await stage.admin.call(createUser, {
    body: { user: { email: 'mailed@example.org' }, skip_email_notify: true },
  })
  const admin = await stage.as(stage.admin.id, { session: true })
  const link = await admin.call(getInviteLink, { params: { id: data.id } })
  assert.equal(link.data.url, null)
})

test('links are for owner and admins, and for those who have not accepted', async (t) => {
  const stage = await world(t)
  const { id } = await invited(stage)
  const alice = await stage.as(stage.alice.id, { session: true })
  const admin = await stage.as(stage.admin.id, { session: true })
  for (const operation of [getInviteLink, resendInvite] as const) {
    await assert.rejects(alice.call(operation, { params: { id } }), { status: 403, code: 'not_authorized' })
    await assert.rejects(admin.call(operation, { params: { id: stage.bob.id } }), { status: 404 })
    await assert.rejects(admin.call(operation, { params: { id: 999_999 } }), { status: 404 })
  }
})

test('a password has eight characters, and a name at least one', async (t) => {
  const stage = await world(t)
  const { token } = await invited(stage)
  const accept = (body: { first_name: string; password: string }) =>
    visitor(stage).call(acceptInvite, { params: { token }, body })
  await assert.rejects(accept({ first_name: 'N', password: 'short' }), (error: ApiFailure) => {
    assert.deepEqual([error.status, error.code], [422, 'min_length'])
    assert.equal(error.errors[0]?.value, null, 'the password is not repeated')
    return true
  })
  await assert.rejects(accept({ first_name: ' ', password: PASSWORD }), { status: 422, code: 'blank' })
})

test('who is suspended or deleted accepts nothing and signs in nowhere', async (t) => {
  const stage = await world(t)
  const { id, token } = await invited(stage)
  const suspend = (suspended: boolean) =>
    stage.admin.call(updateUser, { params: { id }, body: { user: { suspended } } })
  const accept = () =>
    visitor(stage).call(acceptInvite, { params: { token }, body: { first_name: 'N', password: PASSWORD } })
  await suspend(true)
  await assert.rejects(accept(), { status: 403, code: 'access_denied' })
  await suspend(false)
  await accept()
  const enter = () => visitor(stage).call(signIn, { body: { email: 'nora@example.org', password: PASSWORD } })
  await suspend(true)
  await assert.rejects(enter(), { status: 403, code: 'access_denied' })
  await stage.admin.call(deleteUser, { params: { id } })
  await assert.rejects(enter(), { status: 401, code: 'invalid_grant' })
})

test('a new password replaces the old one and ends other sessions', async (t) => {
  const stage = await world(t)
  const enter = async (password: string) => {
    const { data } = await visitor(stage).call(signIn, { body: { email: 'owner@parley.local', password } })
    return visitor(stage, data.token)
  }
  const [mine, other] = [await enter(OWNER.password), await enter(OWNER.password)]
  const change = (current_password: string) =>
    mine.call(changeOwnPassword, { body: { current_password, password: PASSWORD } })
  await assert.rejects(change('wrong'), ({ status, errors }) => {
    assert.deepEqual([status, errors[0].code, errors[0].key], [422, 'invalid', 'current_password'])
    return true
  })
  await change(OWNER.password)
  await mine.call(getSession)
  await assert.rejects(other.call(getSession), { status: 401, code: 'invalid_token' })
  await stage.owner.call(getProfile)
  await assert.rejects(enter(OWNER.password), { status: 401, code: 'invalid_grant' })
  await enter(PASSWORD)
})

test('guesses at one account are counted together, wherever they come from', async (t) => {
  const stage = await world(t, { limits: true, env: { PARLEY_TRUSTED_PROXIES: '127.0.0.1' } })
  stage.clock.freeze(true)
  const guess = (address: number, email: string) =>
    fetch(`${stage.url}/v1/sessions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `192.0.2.${address}` },
      body: JSON.stringify({ email, password: 'wrong' }),
    })
  for (let count = 0; count < 30; count++)
    assert.equal((await guess(count, 'Owner@Parley.local')).status, 401)
  assert.equal((await guess(99, 'owner@parley.local')).status, 429)
  assert.equal((await guess(99, 'other@parley.local')).status, 401)
})

test('a password hashed at an older cost is hashed anew when it is next used', async (t) => {
  const stage = await world(t)
  const { ctx, owner } = stage
  const stored = async () =>
    (await ctx.db.selectFrom('users').select('password_hash').where('id', '=', owner.id).executeTakeFirst())!
      .password_hash!
  // As the first version kept them: no r and no p.
  const salt = Buffer.alloc(16, 7)
  const hash = scryptSync(OWNER.password, salt, 32, { N: 512, r: 8, p: 1 })
  const password_hash = `scrypt$512$${salt.toString('base64url')}$${hash.toString('base64url')}`
  await ctx.db.updateTable('users').set({ password_hash }).where('id', '=', owner.id).execute()
  const body = { email: 'owner@parley.local', password: OWNER.password }
  await visitor(stage).call(signIn, { body })
  const raised = await stored()
  assert.match(raised, /^scrypt\$1024\$8\$1\$/)
  await visitor(stage).call(signIn, { body })
  assert.equal(await stored(), raised)
})

test('a password of production costs what is advised today', async () => {
  const hash = await createPasswords().hash(OWNER.password)
  assert.match(hash, /^scrypt\$131072\$8\$1\$/)
})
