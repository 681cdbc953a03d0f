import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage, getStart } from '@parley/contract'
import { sql } from 'kysely'
import { LOCKS } from '../platform/db/locks.js'
import { startRelay } from '../platform/events/relay.js'
import { type World, world } from '../testing/world.js'

/** Plain text is written in a batch; an answer to another message goes the plain way. */
async function post({ alice, office }: World, content: string, parent_message_id?: number): Promise<number> {
  const message = {
    entity_id: office.id,
    content,
    ...(parent_message_id === undefined ? {} : { parent_message_id }),
  }
  return (await alice.call(createMessage, { body: { message } })).data.id
}

interface Row {
  message_id: number
  position: number | null
  /** Where this version of the row lies. */
  place: string
}

async function eventRows({ ctx }: World): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select (payload ->> 'message_id')::bigint as message_id, position, ctid::text as place from events
    where type = 'message.created' order by position, id`.execute(ctx.autocommit)
  return rows
}

test('the event of a plain message is written once, with its position', async (t) => {
  const scene = await world(t)
  const id = await post(scene, 'hello')
  const before = await eventRows(scene)
  assert.deepEqual(
    before.map(({ message_id }) => message_id),
    [id],
  )
  assert.ok(before[0]?.position)
  await scene.drain()
  assert.deepEqual(await eventRows(scene), before)
})

test('positions follow the order of a chat, whichever way its messages went', async (t) => {
  const scene = await world(t)
  const ids = [await post(scene, 'one')]
  ids.push(await post(scene, 'two', ids[0]))
  assert.equal((await eventRows(scene)).at(-1)?.position, null)
  ids.push(await post(scene, 'three'))
  ids.push(await post(scene, 'four', ids[0]))
  const heard: unknown[] = []
  const relay = startRelay(
    scene.ctx,
    [
      async (_tx, events) =>
        void heard.push(
          ...events.flatMap(({ type, payload }) => (type === 'message.created' ? payload.message_id : [])),
        ),
    ],
    assert.ifError,
  )
  while ((await relay.drain()) > 0);
  assert.deepEqual(heard, ids)
  assert.deepEqual(
    (await eventRows(scene)).map(({ message_id }) => message_id),
    ids,
  )
})

test('no position is seen before every lower one', async (t) => {
  const scene = await world(t)
  const { ctx } = scene
  let sent: Promise<number> | undefined
  await ctx.autocommit.transaction().execute(async (tx) => {
    await sql`select place_events(${LOCKS.place_events}, false)`.execute(tx)
    await sql`insert into events (type, chat_id, actor_id, payload, created_at, position)
      select 'message.created', ${scene.office.id}, ${scene.alice.id}, '{"message_id": 0, "content": "late"}', now(),
        nextval('events_position_seq')`.execute(tx)
    sent = post(scene, 'waits for the lower position')
    const waiting = sql<{ count: number }>`
      select count(*)::int as count from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())
        and objid = ${LOCKS.place_events}`
    while ((await waiting.execute(ctx.autocommit)).rows[0]?.count === 0);
    assert.deepEqual(await eventRows(scene), [])
  })
  const id = await sent
  assert.deepEqual(
    (await eventRows(scene)).map(({ message_id }) => message_id),
    [0, id],
  )
})

test('a client never begins behind events that have not committed', async (t) => {
  const scene = await world(t)
  const { ctx, alice } = scene
  const session = await scene.as(alice.id, { session: true })
  await sql`delete from events`.execute(ctx.autocommit)
  await ctx.autocommit.transaction().execute(async (tx) => {
    const { rows } = await sql<{ position: number }>`
      select nextval('events_position_seq') as position`.execute(tx)
    const { data } = await session.call(getStart)
    assert.ok(Number(data.position) < (rows[0]?.position as number))
  })
})
