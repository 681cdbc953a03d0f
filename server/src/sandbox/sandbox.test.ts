import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  createChat,
  createDlpRule,
  createMessage,
  createSandboxProperty,
  createSandboxToken,
  createSandboxUser,
  getSandboxClock,
  getTokenInfo,
  listAuditEvents,
  listSandboxMail,
  moveSandboxClock,
  OPERATIONS,
  resetSandbox,
  setSandboxLimits,
  setSandboxWorkspace,
  settleSandbox,
} from '@parley/contract'
import { type Client, createClient } from '@parley/sdk'
import { scopesOf } from '../oauth/tokens.js'
import { world } from '../testing/world.js'
import { type RunningSandbox, startSandbox } from './start.js'

let sandbox: RunningSandbox
let control: Client
const as = (token: string) => createClient({ base_url: sandbox.base_url, token })

before(async () => {
  sandbox = await startSandbox({ port: 0, log_level: 'silent' })
  control = createClient({ base_url: new URL(sandbox.control_url).origin })
})
after(() => sandbox.stop())

test('the owner token works as printed', async () => {
  const { data } = await as(sandbox.owner_token).call(getTokenInfo)
  assert.equal(data.user_id, sandbox.owner_id)
})

test('a person of each role gets a token with every scope of the role', async () => {
  for (const role of ['user', 'admin', 'multi_guest'] as const) {
    const { data } = await control.call(createSandboxUser, { body: { role, first_name: 'Ann' } })
    const info = await as(data.token).call(getTokenInfo)
    assert.equal(info.data.user_id, data.id)
    assert.deepEqual([...info.data.scopes].sort(), scopesOf(role).sort())
  }
  const { data: guest } = await control.call(createSandboxUser, { body: { role: 'guest' } })
  await assert.rejects(as(guest.token).call(getTokenInfo), { status: 403, code: 'access_denied' })
  const { data: away } = await control.call(createSandboxUser, { body: { suspended: true } })
  await assert.rejects(as(away.token).call(getTokenInfo), { status: 403, code: 'access_denied' })
  await assert.rejects(control.call(createSandboxUser, { body: { role: 'boss' as 'user' } }), { status: 400 })
})

test('a token can have chosen scopes', async () => {
  const body = { user_id: sandbox.owner_id, scopes: ['chats:read'] }
  const { data } = await control.call(createSandboxToken, { body })
  const info = await as(data.token).call(getTokenInfo)
  assert.deepEqual(info.data.scopes, ['chats:read'])
  assert.equal(info.data.id, data.id)
  await assert.rejects(control.call(createSandboxToken, { body: { user_id: 999_999 } }), { status: 404 })
})

test('the clock moves forward and stands still when told', async () => {
  const before_ms = Date.parse((await control.call(getSandboxClock)).data.now)
  const moved = await control.call(moveSandboxClock, { body: { advance_s: 3600 } })
  assert.ok(Date.parse(moved.data.now) - before_ms >= 3_600_000)
  const frozen = await control.call(moveSandboxClock, { body: { freeze: true } })
  assert.equal((await control.call(getSandboxClock)).data.now, frozen.data.now)
  const past = control.call(moveSandboxClock, { body: { set: '2001-01-01T00:00:00Z' } })
  await assert.rejects(past, { status: 400, code: 'invalid' })
  const set = await control.call(moveSandboxClock, { body: { set: '2090-01-01T00:00:00.000Z' } })
  assert.equal(set.data.now, '2090-01-01T00:00:00.000Z')
  await control.call(moveSandboxClock, { body: { freeze: false } })
})

test('limits can be turned off and on', async () => {
  const { data } = await control.call(createSandboxUser, { body: {} })
  await control.call(setSandboxLimits, { body: { enabled: false } })
  for (let count = 0; count < 80; count += 1) await as(data.token).call(getTokenInfo)
  await control.call(setSandboxLimits, { body: { enabled: true } })
  await control.call(moveSandboxClock, { body: { freeze: true } })
  const calls = [...Array(60)].map(() => as(data.token).call(getTokenInfo))
  const results = await Promise.allSettled(calls)
  assert.equal(results.filter(({ status }) => status === 'rejected').length, 10)
})

test('settings of the workspace change what it answers', async () => {
  const changed = await control.call(setSandboxWorkspace, {
    body: { plan: 'standard', perimeter: ['10.0.0.0/8'] },
  })
  assert.equal(changed.data.plan, 'standard')
  assert.deepEqual(changed.data.perimeter, ['10.0.0.0/8'])
  await control.call(setSandboxWorkspace, { body: { suspended: true } })
  await assert.rejects(as(sandbox.owner_token).call(getTokenInfo), { status: 402, code: 'payment_required' })
})

test('a custom property is defined for people and tasks', async () => {
  const body = { entity_type: 'User' as const, name: 'Desk', data_type: 'string' as const }
  const { data } = await control.call(createSandboxProperty, { body })
  assert.equal(data.name, 'Desk')
  assert.equal(data.data_type, 'string')
})

test('every control of the contract is there', async () => {
  const { origin } = new URL(sandbox.control_url)
  for (const { method, path } of OPERATIONS.filter((operation) => operation.sandbox && operation.body)) {
    const answer = await fetch(origin + path, {
      method,
      body: '{',
      headers: { 'Content-Type': 'application/json' },
    })
    assert.equal(answer.status, 400, path)
  }
})

test('a reset gives the workspace of the start again', async () => {
  const { data: someone } = await control.call(createSandboxUser, { body: {} })
  const { data } = await control.call(resetSandbox)
  assert.deepEqual(data, { owner_id: sandbox.owner_id, owner_token: sandbox.owner_token })
  await assert.rejects(as(someone.token).call(getTokenInfo), { status: 401 })
  assert.equal((await as(sandbox.owner_token).call(getTokenInfo)).data.user_id, sandbox.owner_id)
  const now = Date.parse((await control.call(getSandboxClock)).data.now)
  assert.ok(Math.abs(now - Date.now()) < 5_000)
  const { data: next } = await control.call(createSandboxUser, { body: {} })
  assert.equal(next.id, sandbox.owner_id + 1)
  assert.deepEqual((await control.call(listSandboxMail)).data, [])
  await as(sandbox.owner_token).call(listAuditEvents)
  assert.equal((await control.call(settleSandbox)).data.settled, true)
  const { data: records } = await as(sandbox.owner_token).call(listAuditEvents)
  assert.deepEqual(
    records.map(({ event_key }) => event_key),
    ['audit_events_accessed'],
  )
})

test('a reset leaves nothing in memory: neither used up limits nor rules of the same number', async () => {
  const stateOf = async (keyword: string, texts: string[]) => {
    await control.call(setSandboxLimits, { body: { enabled: true } })
    await control.call(moveSandboxClock, { body: { freeze: true } })
    const { data: boss } = await control.call(createSandboxToken, {
      body: { user_id: sandbox.owner_id, session: true },
    })
    const action = { type: 'BLOCK', message: 'blocked' }
    const body = { conditions: { any: [{ type: 'keyword', value: keyword }] }, action }
    const { data: rule } = await as(boss.token).call(createDlpRule, {
      body: { name: 'r', priority: 1, body },
    })
    const { data: chat } = await as(boss.token).call(createChat, { body: { chat: { name: 'c' } } })
    const { data: person } = await control.call(createSandboxUser, { body: { chat_id: chat.id } })
    const said: string[] = []
    for (const content of texts) {
      const message = { entity_id: chat.id, content }
      const { data } = await as(person.token).call(createMessage, { body: { message } })
      said.push(data.content)
    }
    const calls = Array.from({ length: 60 }, () => as(person.token).call(getTokenInfo))
    const refused = (await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected')
    return { rule: rule.id, chat: chat.id, person: person.id, said, refused: refused.length }
  }
  await control.call(resetSandbox)
  const first = await stateOf('secret', ['a secret', 'a thing'])
  await control.call(resetSandbox)
  const second = await stateOf('thing', ['a secret', 'a thing'])
  assert.deepEqual(first.said, ['blocked', 'a thing'])
  assert.deepEqual(second, { ...first, said: ['a secret', 'blocked'] })
})

test('outside a sandbox none of it exists', async (t) => {
  const { url } = await world(t)
  for (const path of ['/sandbox/clock', '/sandbox/reset', '/v1/sandbox/clock']) {
    assert.equal((await fetch(url + path)).status, 404, path)
    assert.equal((await fetch(url + path, { method: 'POST' })).status, 404, path)
  }
})
