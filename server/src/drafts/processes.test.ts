import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { movableClock } from '../platform/clock.js'
import { startServer } from '../serve.js'
import { spawnWorker } from '../testing/spawn-worker.js'
import type { StageContext } from '../testing/stage.js'
import { world } from '../testing/world.js'
import { drainAll } from '../work.js'

const HOUR_MS = 3_600_000

/** Many chats of one author, each with as many scheduled messages as it may have. */
async function plan(
  ctx: StageContext,
  user_id: number,
  count: number,
  at: Date,
  { interval = 'once', word = 'message' } = {},
) {
  await sql`
    with made as (
      insert into chats (kind, name, owner_id, meet_slug, created_at, last_message_at)
      select 'conversation', 'chat ' || n, ${user_id}::bigint, 'slug-' || n, ${at}::timestamptz, ${at}::timestamptz
      from generate_series(1, ${Math.ceil(count / 50)}::int) n returning id),
    joined as (
      insert into chat_members (chat_id, user_id, role, joined_at)
      select id, ${user_id}::bigint, 'owner', ${at}::timestamptz from made returning chat_id),
    numbered as (select chat_id, row_number() over () - 1 as n from joined)
    insert into drafts (user_id, chat_id, content, interval, start_date, next_send_at, due_at, created_at, updated_at)
    select ${user_id}::bigint, numbered.chat_id, ${`${word} `} || i, ${interval}::text, ${at}::timestamptz,
      ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz
    from generate_series(0, ${count - 1}::int) i join numbered on numbered.n = i / 50`.execute(ctx.db)
}

async function until(done: () => Promise<boolean>) {
  const deadline = Date.now() + 240_000
  while (!(await done())) {
    assert.ok(Date.now() < deadline, 'it took longer than four minutes')
    await wait(25)
  }
}

async function leftIn(ctx: StageContext) {
  const { count } = await ctx.db
    .selectFrom('drafts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

async function sentBy(ctx: StageContext, word = 'message') {
  const { rows } = await sql<{ content: string; times: number; last: Date }>`
    select content, count(*) as times, max(created_at) as last from messages
    where content like ${`${word} %`} group by content`.execute(ctx.db)
  return rows
}

test('of several processes', async (t) => {
  const stage = await world(t)
  const { ctx, alice } = stage
  const workers = await Promise.all([spawnWorker(t, stage), spawnWorker(t, stage), spawnWorker(t, stage)])

  await t.test('five hundred messages of one minute are sent once each', async (t) => {
    const at = new Date(Date.now() + 1500)
    await plan(ctx, alice.id, 500, at)
    await until(async () => (await leftIn(ctx)) === 0)
    const sent = await sentBy(ctx)
    assert.equal(sent.length, 500)
    assert.ok(sent.every(({ times }) => times === 1))
    const slowest_ms = Math.max(...sent.map(({ last }) => last.getTime())) - at.getTime()
    t.diagnostic(`the last of 500 left ${slowest_ms} ms after its time`)
    const { rows } = await sql<{ count: number }>`
      select count(*) from events where type = 'message.created'`.execute(ctx.db)
    assert.equal(rows[0]?.count, 500)
  })

  await t.test('those that are killed while they send lose nothing and send nothing twice', async () => {
    let rounds = 0
    for (const worker of workers) {
      // On a busy machine all are sent before this process looks again: then there are more.
      for (let left = 0; left === 0; left = await leftIn(ctx)) {
        rounds += 1
        await plan(ctx, alice.id, 120, new Date(), { word: `later ${rounds}` })
        await until(async () => (await leftIn(ctx)) < 80)
      }
      await worker.kill()
    }
    await spawnWorker(t, stage)
    await until(async () => (await leftIn(ctx)) === 0)
    const sent = await sentBy(ctx, 'later')
    assert.equal(sent.length, rounds * 120)
    assert.ok(sent.every(({ times }) => times === 1))
  })
})

test('clocks that jump and differ send no occurrence twice and leave none out', async (t) => {
  const { ctx, alice } = await world(t)
  const servers = await Promise.all(
    [0, 1, 2].map(async () => {
      const clock = movableClock()
      clock.freeze(true)
      const config = { ...ctx.config, run: 'worker' as const }
      const server = await startServer(config, { clock, log: pino({ level: 'silent' }), work: 'paused' })
      t.after(() => server.stop())
      return { clock, server }
    }),
  )
  const start = Date.parse('2031-03-01T12:00:00Z')
  await plan(ctx, alice.id, 20, new Date(start), { interval: 'daily' })
  const days = 6
  for (let step = -1; step <= days * 4; step += 1) {
    const now = start + step * 6 * HOUR_MS
    await Promise.all(
      servers.map(async ({ clock, server }, index) => {
        const skew_ms = ((step * 7 + index * 13) % 5) * 600_000 - 1_200_000
        clock.advance(now + skew_ms - clock.now())
        await drainAll(server.workers)
      }),
    )
  }
  for (const { clock, server } of servers) {
    clock.advance(start + days * 24 * HOUR_MS - clock.now())
    await drainAll(server.workers)
  }
  const sent = await sentBy(ctx)
  assert.deepEqual(
    new Set(sent.map(({ times }) => times)),
    new Set([days + 1]),
    'each message goes out once a day, the first and the last day included',
  )
  assert.equal(sent.length, 20)
})
