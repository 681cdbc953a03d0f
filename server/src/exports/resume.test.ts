import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type ExportMessage, orderExport } from '@parley/contract'
import { sql } from 'kysely'
import { insertBulk } from '../testing/bulk.js'
import { spawnWorker } from '../testing/spawn-worker.js'
import { type World, world } from '../testing/world.js'
import { unzip } from './testing-unzip.js'

const MESSAGES = 10_000
const FIRST_DAY = 7000
/** A builder is killed in the step after it has written so many. Starting its process is most of the cost of this test. */
const KILLED_AT = [2000, 5000]

/** Messages of three days in two chats; one of them has most. The texts are short, as the search index costs most of this. */
async function fill({ ctx, alice, office, news }: World) {
  await insertBulk(
    ctx,
    sql`insert into messages (chat_id, root_chat_id, user_id, content, created_at, changed_at)
    select chat, chat, ${alice.id}::bigint, 'message ' || n, at, at
    from generate_series(1, ${MESSAGES}::int) n
    cross join lateral (select case when n % 10 = 0 then ${news.id}::bigint else ${office.id}::bigint end as chat,
      timestamptz '2026-03-01 00:00:00Z' + case when n <= ${FIRST_DAY}::int then n * interval '12 seconds'
        else interval '1 day' + (n - ${FIRST_DAY}::int) * interval '57 seconds' end as at) x`,
  )
}

/** Makes the steps after this goal wait: however late a builder is killed, it is still at work. */
async function holdAfter({ ctx }: World, goal: number) {
  await ctx.pool.query('drop trigger if exists hold on exports')
  await ctx.pool.query(`create trigger hold before update on exports for each row
    when (old.messages >= ${goal}) execute function hold_builder()`)
}

/** Ends what waits for a process that is gone. */
async function endHeld({ ctx }: World) {
  await ctx.pool.query(`select pg_terminate_backend(pid, 60000) from pg_stat_activity
    where datname = current_database() and wait_event = 'PgSleep'`)
}

async function stateOf({ ctx }: World) {
  return ctx.db.selectFrom('exports').selectAll().executeTakeFirstOrThrow()
}

async function until(done: () => Promise<boolean>) {
  const deadline = Date.now() + 120_000
  while (!(await done())) {
    assert.ok(Date.now() < deadline, 'it took longer than two minutes')
    await wait(10)
  }
}

test('an export whose builder is killed again and again goes on where it was', async (t) => {
  const stage = await world(t)
  const { owner, ctx, drain } = stage
  await fill(stage)
  await owner.call(orderExport, { body: { start_at: '2026-03-01', end_at: '2026-03-05' } })
  await ctx.pool.query(`create function hold_builder() returns trigger language plpgsql as
    $$ begin perform pg_sleep(30); return new; end $$`)
  const seen: number[] = []
  for (const goal of KILLED_AT) {
    await holdAfter(stage, goal)
    const builder = await spawnWorker(t, stage)
    await until(async () => (await stateOf(stage)).messages >= goal)
    await builder.kill()
    await endHeld(stage)
    const { messages, state } = await stateOf(stage)
    assert.equal(state, 'building')
    seen.push(messages)
    // The queue gives the work of a dead process to another once its lease is over.
    await ctx.pool.query(`update jobs set locked_until = null where kind = 'exports.build'`)
  }
  await ctx.pool.query('drop trigger hold on exports')
  await drain()
  assert.equal((await stateOf(stage)).state, 'ready')
  const { messages, id } = await stateOf(stage)
  assert.equal(
    messages,
    MESSAGES,
    `every message is written once; after the kills it was at ${seen.join(', ')}`,
  )

  const chunks: Buffer[] = []
  for await (const chunk of await ctx.storage.read(`exports/${id}/archive.zip`)) chunks.push(chunk as Buffer)
  const files = unzip(Buffer.concat(chunks))
  const ids = new Set<number>()
  let count = 0
  for (const [name, text] of files) {
    if (name === 'chats.json') continue
    const items = JSON.parse(text) as ExportMessage[]
    const own = items.map((item) => item.id as number)
    assert.deepEqual(
      own,
      [...own].sort((a, b) => a - b),
    )
    for (const item of own) ids.add(item)
    count += items.length
  }
  assert.deepEqual([count, ids.size, files.size], [MESSAGES, MESSAGES, 7])
})
