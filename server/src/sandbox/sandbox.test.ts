import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  createBot,
  createChat,
  createDlpRule,
  createDraft,
  createMessage,
  createSandboxProperty,
  createSandboxToken,
  createSandboxUser,
  getSandbox,
  getSandboxClock,
  getTokenInfo,
  listAuditEvents,
  listMessages,
  listSandboxMail,
  moveSandboxClock,
  OPERATIONS,
  pressInSandbox,
  resetSandbox,
  setSandboxLimits,
  setSandboxWorkspace,
  settleSandbox,
  submitInSandbox,
} from '@parley/contract'
import { type Client, createClient } from '@parley/sdk/contract'
import { scopesOf } from '../oauth/tokens.js'
import { startReceiver } from '../testing/receiver.js'
import { world } from '../testing/world.js'
import { type RunningSandbox, startSandbox } from './start.js'

let sandbox: RunningSandbox
let control: Client
const as = (token: string) => createClient({ base_url: sandbox.base_url, token })

before(async () => {
  sandbox = await startSandbox({ port: 0, env: { PARLEY_LOG_LEVEL: 'silent' } })
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
  const refused = (body: object, status: number, code: string) =>
    assert.rejects(control.call(createSandboxUser, { body }), { status, code })
  await refused({ role: 'boss' }, 400, 'inclusion')
  await refused({ email: 'no address' }, 400, 'invalid')
  await refused({ email: ' ' }, 400, 'invalid')
})

test('a token can have chosen scopes', async () => {
  const body = { user_id: sandbox.owner_id, scopes: ['chats:read' as const] }
  const { data } = await control.call(createSandboxToken, { body })
  const info = await as(data.token).call(getTokenInfo)
  assert.deepEqual(info.data.scopes, ['chats:read'])
  assert.equal(info.data.id, data.id)
  await assert.rejects(control.call(createSandboxToken, { body: { user_id: 999_999 } }), { status: 404 })
  const misspelt = { ...body, scopes: ['chat:read' as 'chats:read'] }
  await assert.rejects(control.call(createSandboxToken, { body: misspelt }), {
    status: 400,
    code: 'inclusion',
  })
})

test('the clock moves forward and stands still when told', async () => {
  const before_ms = Date.parse((await control.call(getSandboxClock)).data.now)
  const moved = await control.call(moveSandboxClock, { body: { advance_s: 3600 } })
  assert.ok(Date.parse(moved.data.now) - before_ms >= 3_600_000)
  const frozen = await control.call(moveSandboxClock, { body: { freeze: true } })
  assert.equal((await control.call(getSandboxClock)).data.now, frozen.data.now)
  const past = control.call(moveSandboxClock, { body: { set: '2001-01-01T00:00:00Z' } })
  await assert.rejects(past, { status: 400, code: 'invalid' })
  for (const body of [{ advance_s: 1e12 }, { advance_s: 1e300 }, { set: '9999-06-01T00:00:00Z' }])
    await assert.rejects(control.call(moveSandboxClock, { body }), { status: 400, code: 'invalid' })
  const set = await control.call(moveSandboxClock, { body: { set: '2090-01-01T00:00:00.000Z' } })
  assert.equal(set.data.now, '2090-01-01T00:00:00.000Z')
  await control.call(moveSandboxClock, { body: { freeze: false } })
})

/** A message that is sent every day, and a bot that hears it. */
async function dailyMessage(hook_url: string) {
  const owner = as(sandbox.owner_token)
  const webhook = {
    name: 'Hears',
    outgoing_url: hook_url,
    events: ['message_new' as const],
    trigger_on: 'all_messages' as const,
  }
  const { data: bot } = await owner.call(createBot, { body: { webhook } })
  const { data: chat } = await owner.call(createChat, {
    body: { chat: { name: 'Daily', member_ids: [bot.id] } },
  })
  const start = Date.parse((await control.call(getSandboxClock)).data.now) + 3_600_000
  const schedule = { start_date: new Date(start).toISOString(), repetition: { interval: 'daily' as const } }
  const draft = { entity_type: 'discussion' as const, entity_id: chat.id, content: 'good morning', schedule }
  await owner.call(createDraft, { body: { draft } })
  const times = async () => {
    const { data } = await owner.call(listMessages, { query: { chat_id: chat.id, order: 'asc', limit: 50 } })
    return data.map(({ created_at }) => Date.parse(created_at))
  }
  return { start, times }
}

const DAY_MS = 24 * 3_600_000

test('a jump over ten days sends a daily message ten times, each at its hour, and the bot hears ten', async (t) => {
  await control.call(resetSandbox)
  const hook = await startReceiver()
  t.after(() => hook.close())
  const { start, times } = await dailyMessage(hook.url)
  await control.call(moveSandboxClock, { body: { advance_s: 10 * 24 * 3600 } })
  const wanted = Array.from({ length: 10 }, (_, day) => Math.floor((start + day * DAY_MS) / 1000))
  assert.deepEqual(
    (await times()).map((ms) => Math.floor(ms / 1000)),
    wanted,
  )
  assert.equal(hook.requests.length, 10)
})

test('a receiver that fails is tried again at the times of its retries, on the way', async (t) => {
  await control.call(resetSandbox)
  const hook = await startReceiver((_, response) => response.writeHead(500).end())
  t.after(() => hook.close())
  const { start } = await dailyMessage(hook.url)
  const to = new Date(start + 5 * 3_600_000).toISOString()
  await control.call(moveSandboxClock, { body: { set: to } })
  assert.equal(hook.requests.length, 6)
})

test('a jump of fifty days ends soon', async (t) => {
  await control.call(resetSandbox)
  const hook = await startReceiver()
  t.after(() => hook.close())
  await dailyMessage(hook.url)
  const jump = async (days: number) => {
    const began = performance.now()
    await control.call(moveSandboxClock, { body: { advance_s: days * 24 * 3600 } })
    return performance.now() - began
  }
  const ten_ms = await jump(10)
  const rest_ms = await jump(40)
  t.diagnostic(`${Math.round(ten_ms)} ms, ${Math.round(rest_ms)} ms`)
  // 400 days end within 15 s on a machine that does little else; on a busy one each day takes as long as the first ones.
  assert.ok(rest_ms < Math.max(30_000, ten_ms * 4 * 3), `${rest_ms} ms after ${ten_ms} ms`)
  assert.equal(hook.requests.length, 50)
  await control.call(resetSandbox)
})

test('a misspelt field is refused by name', async () => {
  const post = async (path: string, body: object) => {
    const headers = { 'Content-Type': 'application/json' }
    const url = `${sandbox.control_url}/${path}`
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    const { errors = [] } = (await answer.json()) as { errors?: { key: string }[] }
    return [answer.status, errors[0]?.key]
  }
  assert.deepEqual(await post('clock', { advance: 60 }), [400, 'advance'])
  assert.deepEqual(await post('users', { rolle: 'admin' }), [400, 'rolle'])
  assert.deepEqual(await post('faults', { webhooks: { count: 1, code: 500 } }), [400, 'webhooks.code'])
  for (const { path, method, body } of OPERATIONS.filter(
    (operation) => operation.sandbox && operation.body,
  )) {
    assert.equal(
      (body as { additionalProperties?: boolean }).additionalProperties,
      false,
      `${method} ${path}`,
    )
  }
})

test('it tells what there is in it and which calls it takes', async () => {
  await control.call(resetSandbox)
  const { data: person } = await control.call(createSandboxUser, { body: { nickname: 'ann' } })
  const { data: chat } = await as(sandbox.owner_token).call(createChat, { body: { chat: { name: 'Here' } } })
  const { data } = await control.call(getSandbox)
  assert.deepEqual(data.people[0], { id: person.id, role: 'user', nickname: 'ann' })
  assert.deepEqual(data.chats[0], { id: chat.id, name: 'Here', kind: 'conversation' })
  assert.equal(data.owner_id, sandbox.owner_id)
  assert.equal(data.base_url, sandbox.base_url)
  assert.ok(data.calls.some(({ path }) => path === '/sandbox/press'))
})

test('nobody presses or sends what is not there', async () => {
  const user_id = sandbox.owner_id
  const press = control.call(pressInSandbox, { body: { user_id, message_id: 999_999 } })
  await assert.rejects(press, { status: 404, code: 'not_found' })
  const submit = control.call(submitInSandbox, { body: { user_id, data: {} } })
  await assert.rejects(submit, { status: 404, code: 'view_not_found' })
  const nobody = control.call(pressInSandbox, { body: { user_id: 999_999, message_id: 1 } })
  await assert.rejects(nobody, { status: 404, code: 'not_found' })
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
  const before_ms = Date.now()
  const now = Date.parse((await control.call(getSandboxClock)).data.now)
  assert.ok(before_ms <= now && now <= Date.now())
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

test('resets come one after another, after the moves of the clock and between the writes of others', async () => {
  await control.call(setSandboxLimits, { body: { enabled: false } })
  await control.call(moveSandboxClock, { body: { freeze: true } })
  let resets = 3
  const write = async () => {
    while (resets > 0) await as(sandbox.owner_token).call(createChat, { body: { chat: { name: 'Busy' } } })
  }
  const reset = () => control.call(resetSandbox).finally(() => (resets -= 1))
  const move = control.call(moveSandboxClock, { body: { advance_s: 3600 } })
  const writer = write().catch(() => {})
  const answers = await Promise.all([reset(), reset(), reset()])
  await Promise.all([move, writer])
  for (const { data } of answers) assert.equal(data.owner_token, sandbox.owner_token)
  const nowIs = async () => Date.parse((await control.call(getSandboxClock)).data.now)
  const before_ms = await nowIs()
  for (let tries = 0; (await nowIs()) === before_ms; tries += 1)
    assert.ok(tries < 1_000, 'the clock stands still')
  await control.call(resetSandbox)
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
