import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { listViewers } from './live/queries.js'
import { readFigures } from './platform/http/operator-queries.js'
import { insertBulk } from './testing/bulk.js'
import { rowsReadBy } from './testing/rows-read.js'
import { type World, world } from './testing/world.js'
import { readOwnFacts } from './timeline/shared-queries.js'

const ROWS = 20_000
const PEOPLE = 400
const row = sql`generate_series(1, ${sql.lit(ROWS)}) n`

/** What is done, and kept: nothing of it waits. */
async function keep({ ctx, bot, office, alice }: World) {
  await insertBulk(
    ctx,
    sql`insert into events (type, chat_id, actor_id, payload, created_at, position)
      select 'message.created', ${office.id}::bigint, ${alice.id}::bigint, '{"message_id":1,"content":"x"}', now(), nextval('events_position_seq') from ${row}`,
    sql`update relay_cursor set position = (select max(position) from events)`,
    sql`insert into deliveries (bot_id, chat_id, event_id, event_type, payload, state, created_at)
      select ${bot.id}::bigint, 1, 'event' || n, 'message_new', '{}', 'delivered', now() from ${row}`,
    sql`insert into audit_events (id, sequence, position, created_at, event_key, actor_id, entity_type, entity_id, details,
        hash) overriding system value
      select gen_random_uuid(), 1000000 + n, 1000000 + n, now(), 'user_updated', ${alice.id}::bigint, 'User', '1', '{}', '' from ${row}`,
    sql`insert into drafts (user_id, chat_id, content, created_at, updated_at)
      select ${alice.id}::bigint, n, 'x', now(), now() from ${row}`,
    sql`insert into chats (id, kind, name, public, owner_id, meet_slug, created_at, last_message_at)
      select 1000000 + n, 'conversation', 'Room', false, ${alice.id}::bigint, 'room', now(), now() from ${row}`,
    sql`insert into chat_members (chat_id, user_id, role, joined_at, place)
      select 1000000 + n % 1000, 1000000 + n % ${sql.lit(PEOPLE)}, 'member', now(), 'group' from ${row}
      on conflict do nothing`,
    sql`insert into threads (chat_id, message_id, message_chat_id, creator_id, created_at, updated_at)
      select 1000000 + n, 1000000 + n, ${office.id}::bigint, ${alice.id}::bigint, now(), now() from ${row}`,
    sql`insert into reactions (message_id, user_id, emoji, code, name, created_at)
      select 1000000 + n % 1000, 1000000 + n, 'x', 'x', 'x', now() from ${row}`,
    sql`insert into mentions (message_id, chat_id, user_id) select 1000000 + n, ${office.id}::bigint, 1000000 + n % 9 from ${row}`,
  )
  await ctx.pool.query('vacuum analyze')
}

/** What waits for a later day. */
async function postpone({ ctx, bot, alice }: World) {
  const later = sql`now() + interval '10 years'`
  await insertBulk(
    ctx,
    sql`insert into jobs (kind, payload, run_at, created_at) select 'threads.remind', '{}', ${later}, now() from ${row}`,
    sql`insert into delivery_lanes (bot_id, chat_id, due_at) select ${bot.id}::bigint, n, ${later} from ${row}`,
    sql`insert into drafts (user_id, chat_id, content, created_at, updated_at, interval, start_date, next_send_at, due_at)
      select ${alice.id}::bigint, n, 'x', now(), now(), 'daily', now(), now(), ${later} from ${row}`,
  )
  await ctx.pool.query('vacuum analyze')
}

test('what runs every second and with every message reads few rows, however many are kept', async (t) => {
  const w = await world(t)
  const { ctx, office } = w
  const people = Array.from({ length: PEOPLE }, (_, n) => 1_000_000 + n)
  const check = async (works: Record<string, () => Promise<unknown>>) => {
    for (const plans of ['generic', 'custom'] as const)
      for (const [name, work] of Object.entries(works)) {
        const rows = await rowsReadBy(t, ctx, work, { plans })
        assert.ok(rows < 200, `${name}, by ${plans} plans: ${rows} rows are read`)
      }
  }
  const idle = () => w.drain()
  await keep(w)
  await w.drain()
  await check({
    'background work': idle,
    'figures of what waits': () => readFigures(ctx.pool, new Date()),
    'who of those who listen may see a message': () => listViewers(ctx.db, [office.id], people),
    'what a message is to each of them': () => readOwnFacts(ctx.db, [1_000_001], people),
  })
  await postpone(w)
  await check({ 'background work, with much postponed': idle })
})
