import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import {
  addChatMembers,
  archiveChat,
  bindChatTags,
  listChatMembers,
  listChats,
  unbindChatTag,
} from '@parley/contract'
import { sql } from 'kysely'
import { message, tag } from '../chats/testing-stage.js'
import { insertBulk } from '../testing/bulk.js'
import { type World, world } from '../testing/world.js'

const PEOPLE = 30_000
const TAGGED = 20_000
const FIRST = 1_000_000
const at = (id: number) => ({ params: { id } })

/** Many people, of whom the first ones have the tag. */
async function crowd({ ctx }: World, tagId: number) {
  await insertBulk(
    ctx,
    sql`insert into users (id, role, email, nickname, first_name, created_at)
      select ${FIRST}::bigint + n, 'user', 'u' || n || '@example.org', 'u' || n, 'User ' || n, now()
      from generate_series(1, ${PEOPLE}::int) n`,
    sql`insert into user_tags (tag_id, user_id)
      select ${tagId}::bigint, ${FIRST}::bigint + n from generate_series(1, ${TAGGED}::int) n`,
  )
}

async function fill({ ctx }: World, chatId: number) {
  await ctx.pool.query(
    `insert into chat_members (chat_id, user_id, role, joined_at)
     select $1, $2::bigint + n, 'member', now() from generate_series($3::int, $4::int) n`,
    [chatId, FIRST, TAGGED / 2 + 1, PEOPLE],
  )
}

async function count({ ctx }: World, chatId: number): Promise<number> {
  const { rows } = await ctx.pool.query(
    'select count(*)::int as count from chat_members where chat_id = $1',
    [chatId],
  )
  return rows[0].count
}

const LINES_HELD = 4711

/** Stops whoever writes a line of the system, which is the last thing that a change of members does, until it is let on. */
async function holdLines({ ctx }: World) {
  const holder = await ctx.pool.connect()
  await holder.query('select pg_advisory_lock($1)', [LINES_HELD])
  await holder.query(`create function hold_line() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(${LINES_HELD}); return new; end $$`)
  await holder.query(`create trigger hold_line before insert on messages for each row when (new.system)
    execute function hold_line()`)
  return {
    async isReached() {
      const { rows } = await ctx.pool.query(
        `select from pg_locks where locktype = 'advisory' and objid = $1 and not granted
           and database = (select oid from pg_database where datname = current_database())`,
        [LINES_HELD],
      )
      return rows.length > 0
    },
    async letOn() {
      await holder.query('select pg_advisory_unlock($1)', [LINES_HELD])
      holder.release()
    },
  }
}

test('a tag of 20 000 people is bound within seconds to a chat of as many, while messages go on', async (t) => {
  const stage = await world(t)
  const { ctx, alice, office, news, events, drain } = stage
  const everybody = await tag(stage, 'Everybody', [])
  await crowd(stage, everybody)
  const filling = performance.now()
  await fill(stage, office.id)
  // Twice as many rows by plain SQL: what this machine takes for them now.
  const filled_ms = performance.now() - filling
  await ctx.pool.query('analyze')

  const lines = await holdLines(stage)
  let bound = false
  const started = performance.now()
  const binding = alice
    .call(bindChatTags, { ...at(office.id), body: { group_tag_ids: [everybody] } })
    .finally(() => {
      bound = true
    })
  while (!bound && !(await lines.isReached())) await wait(10)
  const took_ms = performance.now() - started
  try {
    for (let written = 0; written < 10; written += 1) await message(stage, news.id, alice.id)
    assert.equal(bound, false, 'messages were written meanwhile')
  } finally {
    await lines.letOn()
  }
  await binding
  t.diagnostic(`bound in ${Math.round(took_ms)} ms, filled in ${Math.round(filled_ms)} ms`)
  assert.ok(took_ms < Math.max(15_000, filled_ms * 16), `binding took ${took_ms} ms, filling ${filled_ms} ms`)
  assert.equal(await count(stage, office.id), PEOPLE + 4)
  const [told] = (await events()).filter(({ type }) => type === 'chat_members.added')
  assert.equal((told?.payload.user_ids as number[] | undefined)?.length, TAGGED / 2)
  const joins = await ctx.db
    .selectFrom('audit_events')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('event_key', '=', 'user_chat_join')
    .executeTakeFirst()
  assert.equal(joins?.count, TAGGED / 2)

  const page = await alice.call(listChatMembers, { ...at(office.id), query: { role: 'owner' } })
  assert.deepEqual(
    page.data.map(({ id }) => id),
    [alice.id],
  )
  await alice.call(unbindChatTag, { params: { id: office.id, tag_id: everybody } })
  await drain()
  assert.equal(await count(stage, office.id), PEOPLE - TAGGED / 2 + 4)
  await alice.call(addChatMembers, { ...at(office.id), body: { member_ids: [FIRST + 1] } })
  await alice.call(archiveChat, at(office.id))
  await drain()
  const { data } = await alice.call(listChats, { query: { archived: true, limit: 1, order: 'asc' } })
  // One was added, and the guest left with the archiving.
  assert.equal(data[0]?.member_ids.length, PEOPLE - TAGGED / 2 + 4)
})
