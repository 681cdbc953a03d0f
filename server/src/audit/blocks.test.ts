// Records of messages are stored in blocks. Nobody who reads the log can tell.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AuditEvent, createMessage, deleteMessage, listAuditEvents } from '@parley/contract'
import { sql } from 'kysely'
import { type World, world } from '../testing/world.js'
import { countUnsealed } from './chain-queries.js'
import { adoptChain, SEALING_RESTS_MS, sealOnce, startSealing } from './seal.js'
import { tamper } from './testing-tamper.js'
import { verifyAudit } from './verify.js'

const DAY_MS = 24 * 3_600_000
const BUCKET_MS = 10_000

const said = async (person: World['alice'], entity_id: number, content: string) =>
  (await person.call(createMessage, { body: { message: { entity_id, content } } })).data

type Query = Parameters<typeof ask>[1]
const ask = async (owner: World['owner'], query: Omit<Partial<Record<string, string | number>>, 'cursor'>) =>
  (await owner.call(listAuditEvents, { query: { limit: 50, ...query } as object })).data.filter(
    ({ event_key }) => event_key !== 'audit_events_accessed',
  )

/** All pages, forwards and then back from the last one. */
async function walk(owner: World['owner'], query: Query, limit: number) {
  const page = (cursor?: string) =>
    owner.call(listAuditEvents, { query: { ...query, limit, ...(cursor ? { cursor } : {}) } as object })
  const forth: AuditEvent[] = []
  let at = await page()
  for (forth.push(...at.data); at.meta.paginate.has_next; forth.push(...at.data))
    at = await page(at.meta.paginate.next_page)
  const back: AuditEvent[] = [...at.data]
  while (at.meta.paginate.has_prev) {
    at = await page(at.meta.paginate.prev_page)
    back.unshift(...at.data)
  }
  return { forth, back }
}

/** Messages of two people at several times, some of them at the same one, with other records in between. */
async function talk({ alice, bob, office, news, clock }: World) {
  clock.freeze(true)
  clock.advance(BUCKET_MS - (clock.now() % BUCKET_MS))
  const times: string[] = []
  const messages = []
  for (const step of [0, 0, 4_000, 9_000, 60_000]) {
    clock.advance(step)
    times.push(new Date(clock.now()).toISOString())
    const both = [said(alice, office.id, 'a'), said(bob, office.id, 'b'), said(alice, news.id, 'c')]
    messages.push(...(await Promise.all(both)))
  }
  await alice.call(deleteMessage, { params: { id: messages[3]!.id } })
  return { times, messages }
}

test('the log answers the same before and after messages are sealed, by every filter and page', async (t) => {
  const stage = await world(t)
  const { owner, alice, bob, ctx, drain } = stage
  const { times, messages } = await talk(stage)
  const id = String(messages[3]!.id)
  const queries: Query[] = [
    {},
    { event_key: 'message_created' },
    { event_key: 'message_deleted' },
    { actor_id: String(alice.id), event_key: 'message_created' },
    { actor_id: String(bob.id) },
    { actor_id: String(bob.id), start_time: times[2]! },
    { entity_id: id },
    { entity_id: id, entity_type: 'Message', actor_id: String(alice.id) },
    { entity_id: id, entity_type: 'Chat' },
    { entity_id: 'x' },
    { start_time: times[2]!, end_time: times[3]! },
    { end_time: times[1]!, event_key: 'message_created' },
  ]
  const all = async () => {
    const answers = []
    for (const query of queries) answers.push(await ask(owner, query))
    return answers
  }
  const before = await all()
  const pages = await walk(owner, { event_key: 'message_created' }, 4)
  assert.equal((await ctx.db.selectFrom('audit_waiting').select('id').execute()).length > 0, true)
  await drain()
  assert.deepEqual(await all(), before)
  assert.deepEqual(await walk(owner, { event_key: 'message_created' }, 4), pages)
  assert.deepEqual(pages.forth, pages.back)
  assert.equal(pages.forth.length, 15)
  assert.equal(new Set(pages.forth.map((record) => record.id)).size, 15)
  const counts = before.map(({ length }) => length)
  assert.deepEqual(counts, [16, 15, 1, 10, 5, 3, 2, 2, 0, 0, 6, 6])
  const [first] = before[6]!.filter(({ event_key }) => event_key === 'message_created')
  assert.match(first!.id, /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  assert.deepEqual(
    [first!.entity_type, first!.entity_id, first!.ip_address, first!.details],
    ['Message', id, '127.0.0.1', {}],
  )
  assert.deepEqual(
    (await ctx.db.selectFrom('audit_blocks').select('bucket').execute()).length,
    3,
    'one block for each ten seconds',
  )
})

test('every message is once in the chain, with several sealers at once', async (t) => {
  const { alice, office, ctx } = await world(t)
  const seal = () => Promise.all(Array.from({ length: 4 }, () => sealOnce(ctx)))
  const sent = Array.from({ length: 40 }, (_, index) => said(alice, office.id, `message ${index}`))
  for (const message of sent) await Promise.all([message, seal()])
  await seal()
  const verdict = await verifyAudit(ctx.db, { key: ctx.audit_key })
  assert.deepEqual([verdict.whole, verdict.checked], [true, 40])
  const { rows } = await sql<{ ids: number; different: number }>`
    select count(*) as ids, count(distinct id) as different from audit_blocks, unnest(message_ids) id`.execute(
    ctx.autocommit,
  )
  assert.deepEqual(rows[0], { ids: 40, different: 40 })
})

const CHANGES: [string, string, { position: number; fault: string }][] = [
  [
    'another actor in a block',
    'update audit_blocks set actor_ids[1] = actor_ids[1] + 1 where first_position = 1',
    { position: 9, fault: 'row changed' },
  ],
  [
    'a time moved in a block',
    `update audit_blocks set created_times[2] = created_times[2] + interval '1 microsecond' where first_position = 10`,
    { position: 12, fault: 'row changed' },
  ],
  [
    'a record removed from the end of a block',
    'update audit_blocks set message_ids = message_ids[:2], sequences = sequences[:2], actor_ids = actor_ids[:2], ' +
      'created_times = created_times[:2], ip_addresses = ip_addresses[:2], user_agents = user_agents[:2] where first_position = 10',
    { position: 12, fault: 'row missing' },
  ],
  [
    'a record added to the last block',
    'update audit_blocks set message_ids = message_ids || 1::bigint, sequences = sequences || 1::bigint, ' +
      'actor_ids = actor_ids || 1::bigint, created_times = created_times || created_times[1] where first_position = 13',
    { position: 16, fault: 'row added' },
  ],
  [
    'a block removed',
    'delete from audit_blocks where first_position = 10',
    { position: 10, fault: 'row missing' },
  ],
]

test('verifying finds what was changed in blocks, and the database itself refuses to change them', async (t) => {
  const stage = await world(t)
  const { ctx, drain } = stage
  await talk(stage)
  await drain()
  assert.equal((await verifyAudit(ctx.db)).whole, true)
  await sql`create table untouched as table audit_blocks`.execute(ctx.db)
  for (const [name, statement, expected] of CHANGES) {
    await assert.rejects(sql.raw(statement).execute(ctx.db), /audit events cannot be changed/, name)
    await tamper(ctx, statement)
    const { position, fault } = (await verifyAudit(ctx.db)) as { position: number; fault: string }
    assert.deepEqual({ position, fault }, expected, name)
    await tamper(ctx, 'delete from audit_blocks; insert into audit_blocks select * from untouched')
  }
  await sql`drop table untouched`.execute(ctx.db)
  for (const statement of [
    'insert into audit_blocks select * from audit_blocks',
    'truncate audit_blocks',
    'delete from audit_waiting',
    'truncate audit_waiting',
  ])
    await assert.rejects(sql.raw(statement).execute(ctx.db), /audit events cannot be changed/, statement)
})

test('blocks go after ninety days, and the rest still verifies under the key', async (t) => {
  const stage = await world(t)
  const { alice, office, ctx, clock, drain } = stage
  await talk(stage)
  await drain()
  clock.advance(60 * DAY_MS)
  await said(alice, office.id, 'later')
  clock.advance(31 * DAY_MS)
  await drain()
  const key = ctx.audit_key
  const kept = await verifyAudit(ctx.db, { key })
  assert.deepEqual([kept.whole, kept.checked], [true, 1])
  await talk(stage)
  await drain()
  await adoptChain(ctx.db, key)
  assert.equal((await verifyAudit(ctx.db, { key })).checked, 17)
})

test('sealing rests only once everything that waited is sealed', async (t) => {
  const { ctx } = await world(t)
  await sql`
    insert into audit_waiting (created_at, sequences, message_ids, actor_ids, ip_addresses, user_agents)
    select now(), array_agg(n), array_agg(n), array_agg(1), array_agg('127.0.0.1'::text), array_agg('test'::text)
    from generate_series(1, 3000) as n group by n / 60`.execute(ctx.autocommit)
  const worker = startSealing(ctx)
  t.after(() => worker.stop(0))
  const waits = t.mock.method(globalThis, 'setTimeout').mock
  worker.start()
  while ((await countUnsealed(ctx.db)) > 0);
  const rests = waits.calls.filter(({ arguments: [, ms] }) => ms === SEALING_RESTS_MS)
  assert.ok(rests.length <= 1, `it rested ${rests.length} times, not only after the last step`)
})
