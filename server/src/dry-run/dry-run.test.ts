import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  canDryRun,
  createMessage,
  getTokenInfo,
  OPERATIONS,
  type Operation,
  updateUser,
} from '@parley/contract'
import { sql } from 'kysely'
import { everyWrite, send, type ValidCall } from '../testing/every-write.js'
import { type World, world } from '../testing/world.js'

/** What only follows something that a bot, a browser or a person did, or computes alone; each is in a transaction like the rest. */
const NOT_STAGED = new Set([
  'closeView',
  'createLinkPreviews',
  'endDeviceLogin',
  'revokeGrant',
  'changeOwnPassword',
  'decideApproval',
  'previewRetention',
  'orderImport',
  'undoImport',
  'removePasskey',
  'unlinkIdentity',
  'removeTotp',
  'resetSecondFactor',
  'deleteWebhookEvent',
  'redeliver',
  'planOwnReplay',
  'cancelOwnReplay',
  'rotateBotClientSecret',
  'stopMailDigest',
])

/** A digest of every table; when a token was last used may change. */
async function dump({ ctx }: World): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
      and relnamespace = 'public'::regnamespace`.execute(ctx.autocommit)
  const each = tables.map(
    ({ name }) =>
      `select '${name}' as name, md5(coalesce(string_agg(t, ',' order by t), '')) as digest
       from (select (to_jsonb(x) - 'last_used_at' - 'last_ip')::text as t from "${name}" x) y`,
  )
  const { rows } = await sql
    .raw<{ name: string; digest: string }>(each.join(' union all '))
    .execute(ctx.autocommit)
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
}

/** The answer without what differs between two runs: new ids, times and secrets. */
function shapeOf(text: string): unknown {
  const plain = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return value.map((item) => plain(item, key))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner, name)]))
    if (key === 'id' || /_(id|at|url|secret|token)$|^(url|token)$/.test(key))
      return value === null ? null : 'any'
    return value
  }
  return text === '' ? '' : plain(JSON.parse(text))
}

test('a dry run of any write answers as the write does, and leaves every table as it was', async (t) => {
  const scene = await world(t)
  const calls = await everyWrite(scene)
  const missing = OPERATIONS.filter(canDryRun).filter(
    ({ id, sandbox }) =>
      !sandbox && !NOT_STAGED.has(id) && !calls.some(({ operation }) => operation.id === id),
  )
  assert.deepEqual(
    missing.map(({ id }) => id),
    [],
  )
  const callerOf = ({ by }: ValidCall) => by ?? scene.owner
  // The first use of a token is noted.
  for (const by of new Set(calls.map(callerOf))) await by.call(getTokenInfo)
  const before = await dump(scene)
  const tried = []
  const faults: string[] = []
  for (const call of calls) {
    const { id, returns } = call.operation
    const answer = await send(scene, callerOf(call), call, 'true')
    if (answer.status !== returns.status) faults.push(`${id}: ${answer.text}`)
    assert.equal(answer.headers.get('parley-dry-run'), 'true')
    assert.match(answer.headers.get('parley-would') ?? '', /^events=\d+; deliveries=\d+; notices=\d+$/)
    tried.push(shapeOf(answer.text))
  }
  assert.deepEqual(faults, [])
  assert.deepEqual(await dump(scene), before)
  for (const [index, call] of calls.entries()) {
    const real = await send(scene, callerOf(call), call)
    assert.deepEqual(tried[index], shapeOf(real.text), call.operation.id)
  }
})

test('a refusal of the write is the refusal of its dry run', async (t) => {
  const scene = await world(t)
  const calls = await everyWrite(scene)
  for (const { operation, params, body } of calls) {
    const by = operation.sessionOnly ? await scene.as(scene.mia.id, { session: true }) : scene.mia
    const wrong: ValidCall = {
      operation,
      ...(params && { params: Object.fromEntries(Object.keys(params).map((name) => [name, 999_999])) }),
      ...(body !== undefined && { body: {} }),
    }
    const tried = await send(scene, by, wrong, 'true')
    const real = await send(scene, by, wrong)
    if (real.status < 400) continue
    assert.deepEqual([tried.status, tried.text], [real.status, real.text], operation.id)
  }
})

test('ids that a dry run drew are 0, in addresses too', async (t) => {
  const scene = await world(t)
  const body = { message: { entity_id: scene.office.id, content: 'hi' } }
  const { text } = await send(scene, scene.alice, { operation: createMessage, body }, 'true')
  const { data } = JSON.parse(text)
  assert.deepEqual([data.id, data.chat_id, data.user_id], [0, scene.office.id, scene.alice.id])
  assert.ok(data.url.endsWith(`/chats/${scene.office.id}?message=0`), data.url)
})

test('a dry run tells how many events, deliveries and notices the write would cause', async (t) => {
  const scene = await world(t)
  const hook = await scene.listen(scene.bot, ['message_new'])
  const would = async (content: string) => {
    const body = { message: { entity_id: scene.office.id, content } }
    const { headers } = await send(scene, scene.alice, { operation: createMessage, body }, 'true')
    return headers.get('parley-would')
  }
  assert.equal(await would('hello'), 'events=1; deliveries=1; notices=0')
  assert.equal(await would('hello @bob'), 'events=1; deliveries=1; notices=1')
  assert.equal(await would('hello @bob @all'), 'events=1; deliveries=1; notices=2')
  assert.equal(await would('hello @admin'), 'events=1; deliveries=1; notices=0')
  await scene.admin.call(updateUser, { params: { id: scene.bob.id }, body: { user: { suspended: true } } })
  assert.equal(await would('hello @bob @all'), 'events=1; deliveries=1; notices=1')
  await scene.drain()
  assert.equal(hook.received.length, 0)
})

test('what cannot be tried says so and does nothing, and an unknown value is refused', async (t) => {
  const scene = await world(t)
  const session = await scene.as(scene.owner.id, { session: true })
  const path = (operation: Operation) => ({
    operation,
    params: { id: 1, user_id: 1, token_id: 1, view_id: 'x', token: 'x', webhook_key: 'x' },
  })
  const impossible = OPERATIONS.filter(
    (one) => one.method !== 'GET' && !one.external && !one.sandbox && !canDryRun(one),
  )
  assert.ok(impossible.length > 20)
  for (const operation of impossible) {
    const bots = operation.roles.length === 1 && operation.roles[0] === 'bot'
    const by = operation.sessionOnly ? session : bots ? scene.bot : scene.owner
    const { status, text } = await send(scene, by, path(operation), 'true')
    assert.equal(status, 422, operation.id)
    assert.equal(JSON.parse(text).errors[0].code, 'not_applicable', operation.id)
  }
  const body = { message: { entity_id: scene.office.id, content: 'hi' } }
  const odd = await send(scene, scene.alice, { operation: createMessage, body }, 'yes')
  assert.equal(odd.status, 400)
  assert.deepEqual(await scene.events(), [])
})
