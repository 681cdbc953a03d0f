import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAuditIntegrity, listAuditEvents } from '@parley/contract'
import { sql } from 'kysely'
import { actingFor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { transaction } from '../platform/db/transaction.js'
import type { StageContext } from '../testing/stage.js'
import { world } from '../testing/world.js'
import { adoptChain, sealOnce } from './seal.js'
import { tamper } from './testing-tamper.js'
import { verifyAudit } from './verify.js'

const DAY_MS = 24 * 3_600_000

/** Writes rows as actions do: one transaction each. */
async function happen(ctx: StageContext, user_id: number, count: number, event_key = 'chat_created') {
  const actor = { ...actingFor(user_id, 'user', 'corporation'), ip_address: '10.0.0.1', user_agent: 'test' }
  for (let index = 0; index < count; index += 1) {
    const details = { name: `tag ${index}`, nested: { b: [1, 2.5], a: null } }
    const entry = { event_key, entity_type: 'Chat', entity_id: index, details }
    await transaction(ctx, (tx) => record(tx, ctx, actor, entry))
  }
}

test('the owner reads the log newest first, page by page in both directions', async (t) => {
  const { owner, alice, ctx, drain, clock } = await world(t)
  await happen(ctx, alice.id, 5)
  await drain()
  const first = await owner.call(listAuditEvents, { query: { limit: 3, event_key: 'chat_created' } })
  assert.deepEqual(
    first.data.map(({ entity_id }) => entity_id),
    ['4', '3', '2'],
  )
  assert.equal(first.data[0]?.actor_id, String(alice.id))
  assert.equal(first.data[0]?.ip_address, '10.0.0.1')
  const { next_page, prev_page } = first.meta.paginate
  const second = await owner.call(listAuditEvents, {
    query: { cursor: next_page, event_key: 'chat_created' },
  })
  assert.deepEqual(
    second.data.map(({ entity_id }) => entity_id),
    ['1', '0'],
  )
  clock.advance(1000)
  await happen(ctx, alice.id, 1)
  const newer = await owner.call(listAuditEvents, { query: { cursor: prev_page, event_key: 'chat_created' } })
  assert.deepEqual(
    newer.data.map(({ entity_id }) => entity_id),
    ['0'],
  )
})

test('events of one instant are all found between pages, sealed or not', async (t) => {
  const { owner, alice, ctx, clock } = await world(t)
  clock.freeze(true)
  await happen(ctx, alice.id, 7)
  await sealOnce(ctx)
  await happen(ctx, alice.id, 6)
  const seen: string[] = []
  let cursor: string | undefined
  for (;;) {
    const query = { limit: 2, event_key: 'chat_created' as const, ...(cursor ? { cursor } : {}) }
    const page = await owner.call(listAuditEvents, { query })
    seen.push(...page.data.map(({ id }) => id))
    if (!page.meta.paginate.has_next) break
    cursor = page.meta.paginate.next_page
  }
  assert.equal(seen.length, 13)
  assert.equal(new Set(seen).size, 13)
})

test('every reading is written down, and does not find itself', async (t) => {
  const { owner } = await world(t)
  const before = await owner.call(listAuditEvents, { query: {} })
  assert.deepEqual(before.data, [])
  const after = await owner.call(listAuditEvents, { query: {} })
  assert.equal(after.data.length, 1)
  const { event_key, entity_type, entity_id, actor_id, actor_type, details } = after.data[0] as {
    [name: string]: unknown
  }
  assert.deepEqual(
    { event_key, entity_type, entity_id, actor_id, actor_type, details },
    {
      event_key: 'audit_events_accessed',
      entity_type: 'User',
      entity_id: String(owner.id),
      actor_id: String(owner.id),
      actor_type: 'User',
      details: {},
    },
  )
})

test('filters combine, times are inclusive, and a time that cannot be read is left aside by name', async (t) => {
  const { owner, alice, bob, ctx, clock, url } = await world(t)
  clock.freeze(true)
  await happen(ctx, alice.id, 2)
  const at = new Date(clock.now()).toISOString()
  clock.advance(60_000)
  await happen(ctx, bob.id, 3, 'tag_created')
  const count = async (query: object) => (await owner.call(listAuditEvents, { query })).data.length
  assert.equal(await count({ actor_id: String(alice.id) }), 2)
  assert.equal(await count({ actor_id: String(alice.id), event_key: 'tag_created' }), 0)
  assert.equal(await count({ actor_id: 'nobody' }), 0)
  assert.equal(await count({ actor_id: String(alice.id), actor_type: 'Bot' }), 0)
  assert.equal(await count({ actor_id: String(alice.id), actor_type: 'User' }), 2)
  assert.equal(await count({ entity_type: 'Chat', entity_id: '0' }), 2)
  assert.equal(await count({ end_time: at, actor_id: String(alice.id) }), 2)
  const other = at.replace('Z', '+00:00')
  assert.equal(await count({ start_time: other, end_time: other, entity_type: 'Chat' }), 2)
  assert.equal(await count({ start_time: new Date(clock.now()).toISOString(), event_key: 'tag_created' }), 3)
  const headers = { authorization: `Bearer ${owner.token}` }
  const answer = await fetch(`${url}/v1/audit_events?start_time=soon&end_time=2026-02-30`, { headers })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('parley-ignored'), 'start_time, end_time')
  // As people type it: the plus of the offset comes as a space.
  const typed = await fetch(`${url}/v1/audit_events?start_time=2099-01-01T00:00:00+03:00`, { headers })
  assert.deepEqual(((await typed.json()) as { data: unknown[] }).data, [])
  assert.equal(typed.headers.get('parley-ignored'), null)
  const unknown = owner.call(listAuditEvents, { query: { event_key: 'nothing' as 'chat_created' } })
  await assert.rejects(unknown, { status: 400, code: 'in' })
})

test('nobody but the owner reads the log, and no refusal is written down', async (t) => {
  const { owner, admin, alice, bot, as, ctx } = await world(t)
  for (const other of [admin, alice, bot]) {
    await assert.rejects(other.call(listAuditEvents, { query: {} }), { status: 403 })
  }
  const narrow = await as(owner.id, { scopes: ['chats:read'] })
  await assert.rejects(narrow.call(listAuditEvents, { query: {} }), { status: 403 })
  await ctx.db.updateTable('workspace').set({ plan: 'standard' }).execute()
  await assert.rejects(owner.call(listAuditEvents, { query: {} }), { status: 403, code: 'not_authorized' })
  assert.equal((await ctx.db.selectFrom('audit_events').selectAll().execute()).length, 0)
})

test('the chain seals every row in order and verifies, with several sealers at once', async (t) => {
  const { alice, bob, ctx } = await world(t)
  await Promise.all([
    happen(ctx, alice.id, 30),
    happen(ctx, bob.id, 30),
    ...Array.from({ length: 8 }, () => sealOnce(ctx)),
  ])
  await Promise.all(Array.from({ length: 4 }, () => sealOnce(ctx)))
  const verdict = await verifyAudit(ctx.db)
  assert.deepEqual(verdict, { whole: true, checked: 60, first_position: 1, last_position: 60 })
})

const CHANGES: [string, string, { position: number; fault: string }][] = [
  [
    'a changed detail',
    `update audit_events set details = jsonb_set(details, '{name}', '"other"') where position = 4`,
    { position: 4, fault: 'row changed' },
  ],
  [
    'a time moved by a microsecond',
    `update audit_events set created_at = created_at + interval '1 microsecond' where position = 6`,
    { position: 6, fault: 'row changed' },
  ],
  [
    'another actor',
    'update audit_events set actor_id = actor_id + 1 where position = 1',
    { position: 1, fault: 'row changed' },
  ],
  [
    'a row removed in the middle',
    'delete from audit_events where position = 5',
    { position: 5, fault: 'row missing' },
  ],
  [
    'the first row removed',
    'delete from audit_events where position = 1',
    { position: 1, fault: 'row missing' },
  ],
  [
    'the last rows removed',
    'delete from audit_events where position > 8',
    { position: 9, fault: 'row missing' },
  ],
  [
    'a row inserted after the end',
    `insert into audit_events (id, created_at, event_key, actor_id, entity_type, entity_id, details, position, previous_hash, hash)
     select gen_random_uuid(), created_at, event_key, actor_id, entity_type, entity_id, details, 11, hash, hash
     from audit_events where position = 10`,
    { position: 11, fault: 'row added' },
  ],
  [
    'a row inserted before the beginning',
    `insert into audit_events (id, created_at, event_key, actor_id, entity_type, entity_id, details, position, previous_hash, hash)
     select gen_random_uuid(), created_at, event_key, actor_id, entity_type, entity_id, details, 0, hash, hash
     from audit_events where position = 10`,
    { position: 0, fault: 'row added' },
  ],
  [
    'two rows swapped',
    `update audit_events set position = case position when 3 then -3 when 4 then 3 end where position in (3, 4);
     update audit_events set position = 4 where position = -3`,
    { position: 3, fault: 'row changed' },
  ],
]

for (const [name, statement, expected] of CHANGES) {
  test(`verifying finds ${name}`, async (t) => {
    const { alice, ctx } = await world(t)
    await happen(ctx, alice.id, 10)
    await sealOnce(ctx)
    await tamper(ctx, statement)
    const verdict = await verifyAudit(ctx.db)
    assert.equal(verdict.whole, false)
    const { position, fault } = verdict as { position: number; fault: string }
    assert.deepEqual({ position, fault }, expected)
  })
}

test('the owner checks the chain through the API, and is told where it breaks', async (t) => {
  const { owner, admin, alice, ctx, drain } = await world(t)
  await happen(ctx, alice.id, 3)
  await drain()
  const { data: whole } = await owner.call(checkAuditIntegrity)
  assert.deepEqual(
    { ...whole, checked: 0, head: '' },
    { whole: true, checked: 0, unsealed: 0, position: null, fault: null, head: '' },
  )
  assert.ok(whole.checked >= 3)
  assert.match(whole.head ?? '', /^\d+-[\da-f]+$/)
  await tamper(ctx, `update audit_events set details = '{}' where position = ${whole.checked}`)
  const { data: broken } = await owner.call(checkAuditIntegrity)
  assert.deepEqual(
    [broken.whole, broken.position, broken.fault, broken.head],
    [false, whole.checked, 'row changed', null],
  )
  await assert.rejects(admin.call(checkAuditIntegrity), { status: 403 })
})

test('the database itself refuses to change, remove or forge rows', async (t) => {
  const { alice, ctx } = await world(t)
  await happen(ctx, alice.id, 3)
  await sealOnce(ctx)
  await happen(ctx, alice.id, 1)
  const statements = [
    `update audit_events set event_key = 'x'`,
    `update audit_events set ip_address = null`,
    `update audit_events set hash = '' where position = 1`,
    'delete from audit_events',
    'truncate audit_events',
    `insert into audit_events (id, created_at, event_key, actor_id, entity_type, entity_id, details, position)
     values (gen_random_uuid(), now(), 'x', 1, 'x', 'x', '{}', 99)`,
  ]
  for (const statement of statements) {
    await assert.rejects(sql.raw(statement).execute(ctx.db), /audit events/, statement)
  }
  await sealOnce(ctx)
  assert.equal((await verifyAudit(ctx.db)).whole, true)
})

test('rows go after ninety days, and the rest still verifies from the first that is kept', async (t) => {
  const { owner, alice, ctx, clock, drain } = await world(t)
  await happen(ctx, alice.id, 6)
  await drain()
  clock.advance(60 * DAY_MS)
  await happen(ctx, alice.id, 4)
  await drain()
  clock.advance(29 * DAY_MS)
  await drain()
  assert.equal((await verifyAudit(ctx.db)).checked, 10)
  clock.advance(2 * DAY_MS)
  await drain()
  assert.deepEqual(await verifyAudit(ctx.db), {
    whole: true,
    checked: 4,
    first_position: 7,
    last_position: 10,
  })
  const { data } = await owner.call(listAuditEvents, { query: { event_key: 'chat_created' } })
  assert.equal(data.length, 4)
  await tamper(ctx, 'delete from audit_events where position = 7')
  const verdict = await verifyAudit(ctx.db)
  assert.deepEqual([verdict.whole, (verdict as { position: number }).position], [false, 7])
})

/** What an earlier chain looked like, put back by somebody who can write everything in the database. */
const CUT = `delete from audit_events where position > 4;
  update audit_chain set head_position = 4, head_hash = (select hash from audit_events where position = 4)`

test('a cut tail is seen by the key, also after the log has grown again', async (t) => {
  const { alice, ctx } = await world(t)
  const key = ctx.audit_key
  await happen(ctx, alice.id, 10)
  await sealOnce(ctx)
  const before = await verifyAudit(ctx.db, { key })
  assert.equal(before.whole, true)
  await tamper(ctx, CUT)
  assert.equal((await verifyAudit(ctx.db)).whole, true)
  const fault = { fault: 'head does not fit the key', whole: false }
  const seen = async () => {
    const { whole, fault } = (await verifyAudit(ctx.db, { key })) as { whole: boolean; fault: string }
    return { fault, whole }
  }
  assert.deepEqual(await seen(), fault)
  await happen(ctx, alice.id, 10)
  await sealOnce(ctx)
  assert.deepEqual(await seen(), fault)
})

test('a head that was kept elsewhere shows a chain that was put back with its seal', async (t) => {
  const { alice, ctx } = await world(t)
  const key = ctx.audit_key
  await happen(ctx, alice.id, 4)
  await sealOnce(ctx)
  const { head_seal } = await ctx.db.selectFrom('audit_chain').select('head_seal').executeTakeFirstOrThrow()
  const early = (await verifyAudit(ctx.db, { key })) as { head: string }
  await happen(ctx, alice.id, 6)
  await sealOnce(ctx)
  const late = (await verifyAudit(ctx.db, { key, head: early.head })) as { whole: true; head: string }
  assert.equal(late.whole, true)
  await tamper(ctx, `${CUT}, head_seal = '\\x${head_seal!.toString('hex')}'`)
  assert.equal((await verifyAudit(ctx.db, { key })).whole, true)
  assert.equal((await verifyAudit(ctx.db, { key, head: early.head })).whole, true)
  assert.deepEqual(await verifyAudit(ctx.db, { key, head: late.head }), {
    whole: false,
    checked: 4,
    position: 5,
    fault: 'row missing',
  })
})

test('a chain from before there was a key stays whole, and is sealed only when told', async (t) => {
  const { alice, ctx, clock, drain } = await world(t)
  const key = ctx.audit_key
  await happen(ctx, alice.id, 5)
  await sealOnce(ctx)
  await tamper(ctx, 'update audit_chain set head_seal = null')
  await happen(ctx, alice.id, 5)
  await sealOnce(ctx)
  assert.equal((await verifyAudit(ctx.db)).whole, true)
  assert.equal(((await verifyAudit(ctx.db, { key })) as { fault: string }).fault, 'head not sealed')
  await adoptChain(ctx.db, key)
  const { checked, head } = (await verifyAudit(ctx.db, { key })) as { checked: number; head: string }
  assert.equal(checked, 10)
  assert.match(head, /^10-[0-9a-f]{64}$/)

  clock.advance(60 * DAY_MS)
  await happen(ctx, alice.id, 2)
  clock.advance(31 * DAY_MS)
  await drain()
  const kept = await verifyAudit(ctx.db, { key })
  assert.deepEqual([kept.whole, kept.checked], [true, 2])
})
