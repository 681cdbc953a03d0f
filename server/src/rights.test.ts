// Rules are pure functions; where SQL judges as well, it is compared here with its function, over every case there is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Role } from '@parley/contract'
import { sql } from 'kysely'
import { listBotsFor, listEditorIds } from './bots/queries.js'
import { type Access, accessOf } from './bots/rules.js'
import { ACTS_KEY_SQL, actsTable } from './chats/acts.js'
import type { ChatFor } from './chats/queries.js'
import { PLACE } from './chats/roster-queries.js'
import { mayRead, mayWrite } from './chats/rules.js'
import { findFileFor } from './files/queries.js'
import { createFacts } from './messages/chat-facts.js'
import { createMessagePages } from './messages/list-page.js'
import { createPostBatch } from './messages/post-batch.js'
import { type Actor, actingFor } from './platform/actor.js'
import { readPaging } from './platform/http/page.js'
import { listPreviewsFor } from './previews/queries.js'
import { listChatMatchesFor } from './search/look-up-chat-queries.js'
import { type World, world } from './testing/world.js'
import { listMentionRows } from './timeline/list-queries.js'
import { seenBy } from './users/queries.js'
import { maySee } from './users/rules.js'

const EITHER = [false, true]
const CHAT_ROLES = ['owner', 'admin', 'editor', 'member', null]
const ALL = { list: 'all', secret: Buffer.alloc(32), limit: 10_000 }

function actorsOf({ owner, admin, alice, mia, bot }: World): Actor[] {
  const cast: [number, Role][] = [
    [owner.id, 'owner'],
    [admin.id, 'admin'],
    [alice.id, 'user'],
    [mia.id, 'multi_guest'],
    [bot.id, 'bot'],
  ]
  return cast.map(([id, role]) => actingFor(id, role, 'standard'))
}

interface Case {
  id: number
  kind: string
  public: boolean
  archived: boolean
  my_role: string | null
  parent_id: number | null
  parent_public: boolean | null
  my_parent_role: string | null
}

/** Every kind of chat that the rules distinguish. A thread hangs in a live conversation, or in none. */
function everyCase(first: number): Case[] {
  const cases: Case[] = []
  const add = (chat: Omit<Case, 'id'>) => cases.push({ id: first + cases.length, ...chat })
  const alone = { parent_id: null, parent_public: null, my_parent_role: null }
  for (const kind of ['conversation', 'channel', 'personal'])
    for (const open of EITHER)
      for (const archived of EITHER)
        for (const my_role of CHAT_ROLES) add({ kind, public: open, archived, my_role, ...alone })
  const parents = cases
    .filter(({ kind, archived }) => kind === 'conversation' && !archived)
    .map((chat) => ({ parent_id: chat.id, parent_public: chat.public, my_parent_role: chat.my_role }))
  for (const parent of [alone, ...parents])
    for (const open of EITHER)
      for (const archived of EITHER)
        for (const my_role of CHAT_ROLES) add({ kind: 'thread', public: open, archived, my_role, ...parent })
  return cases
}

/** Writes the chats, each actor in them with the role of the case, and a message of the same id in each. */
async function stage({ ctx, alice }: World, actors: Actor[]): Promise<Case[]> {
  const first = 1000
  const cases = everyCase(first)
  const rows = sql`jsonb_to_recordset(${JSON.stringify(cases)}::jsonb)
    as k (id bigint, kind text, public boolean, archived boolean, my_role text, parent_id bigint)`
  const ids = actors.map(({ user_id }) => user_id)
  await sql`
    insert into chats (id, kind, name, public, owner_id, personal_key, meet_slug, archived_at, created_at, last_message_at)
    overriding system value
    select id, kind, 'matrix', public, ${alice.id}, case when kind = 'personal' then id || ':' || id + 100000 end,
      'matrix-' || id, case when archived then now() end, now(), now() from ${rows} order by id`.execute(
    ctx.db,
  )
  await sql`
    insert into threads (id, chat_id, message_chat_id, creator_id, created_at, updated_at) overriding system value
    select id, id, parent_id, ${alice.id}, now(), now() from ${rows} where kind = 'thread'`.execute(ctx.db)
  await sql`
    insert into chat_members (chat_id, user_id, role, joined_at)
    select k.id, u.id, k.my_role, now() from ${rows} cross join unnest(${ids}::bigint[]) as u (id)
    where k.my_role is not null`.execute(ctx.db)
  await sql`
    insert into messages (id, chat_id, root_chat_id, user_id, content, created_at, changed_at) overriding system value
    select id, id, coalesce(parent_id, id), 1, 'words', now(), now() from ${rows}`.execute(ctx.db)
  await sql`insert into link_previews (message_id, position, url, title, description)
    select id, 0, 'https://a.org', '', '' from ${rows}`.execute(ctx.db)
  await sql`insert into mentions (message_id, chat_id, user_id)
    select k.id, k.id, u.id from ${rows} cross join unnest(${ids}::bigint[]) as u (id)`.execute(ctx.db)
  await sql`insert into files (id, owner_id, key, name, file_type, size, message_id, created_at) overriding system value
    select id, 1, 'key-' || id, 'a.txt', 'file', 1, id, now() from ${rows}`.execute(ctx.db)
  return cases
}

const judgedAs = (chat: Case) =>
  ({ ...chat, archived_at: chat.archived ? new Date(0) : null }) as unknown as ChatFor

const idsOf = (cases: Case[], fits: (chat: Case) => boolean) => cases.filter(fits).map(({ id }) => id)
const sorted = (ids: Iterable<number>) => [...ids].sort((a, b) => a - b)

test('whoever mayRead a chat reads its pages, files, previews and mentions, and nobody else does', async (t) => {
  const scene = await world(t)
  const { ctx } = scene
  const actors = actorsOf(scene)
  const cases = await stage(scene, actors)
  const pages = createMessagePages(ctx, ctx.hot_pool)
  const paging = readPaging({}, ALL)
  for (const actor of actors) {
    const readable = idsOf(cases, (chat) => mayRead(actor, judgedAs(chat)).allowed)
    const previews = await listPreviewsFor(
      ctx.db,
      actor,
      cases.map(({ id }) => id),
    )
    assert.deepEqual(sorted(previews.map(({ message_id }) => message_id)), readable, actor.role)
    const listed = idsOf(cases, ({ id, kind, archived }) => {
      return kind !== 'thread' && !archived && readable.includes(id)
    })
    const matches = await listChatMatchesFor(
      ctx.db,
      actor,
      { patterns: ['% matrix%'], words: null, common: false },
      {
        ...paging,
        limit: 10_000,
      },
    )
    const groups = matches.filter(({ id, kind }) => kind !== 'personal' && id >= 1000)
    const personal = idsOf(cases, ({ kind }) => kind === 'personal')
    assert.deepEqual(
      sorted(groups.map(({ id }) => id)),
      listed.filter((id) => !personal.includes(id)),
      actor.role,
    )
    if (actor.user_id === 1) continue
    const named = await listMentionRows(ctx.db, actor, paging)
    assert.deepEqual(sorted(named.map(({ message_id }) => message_id)), readable, actor.role)
    // One by one: only what the rule looks at, so a guest and an employee, and no archived chats.
    if (actor.role !== 'user' && actor.role !== 'multi_guest') continue
    for (const chat of cases.filter(
      ({ archived, public: open, kind }) => !archived && !(open && kind === 'thread'),
    )) {
      const allowed = readable.includes(chat.id)
      const said: string = `${actor.role} ${JSON.stringify(chat)}`
      const file = await findFileFor(ctx.db, actor, chat.id)
      assert.equal(file?.readable, allowed, said)
      const page = await pages.read(actor, chat.id, paging).then(
        () => true,
        (error: { status?: number }) => error.status !== 403,
      )
      assert.equal(page, allowed, said)
    }
  }
})

test('a batch takes a message where mayWrite allows it, and cards tell the same', async (t) => {
  const scene = await world(t)
  const { ctx } = scene
  const actors = actorsOf(scene)
  const cases = (await stage(scene, actors)).filter(({ kind }) => kind !== 'personal')
  const pool = ctx.hot_pool
  const batch = createPostBatch(ctx, pool, createFacts(pool))
  for (const actor of actors) {
    const keys = await sql<{ id: number; key: string }>`
      select c.id, ${sql.raw(ACTS_KEY_SQL)} as key from chats c
      left join chat_members me on me.chat_id = c.id and me.user_id = ${actor.user_id}
      left join threads th on th.chat_id = c.id
      left join chats p on p.id = th.message_chat_id
      left join chat_members mine on mine.chat_id = p.id and mine.user_id = ${actor.user_id}
      where c.id = any(${cases.map(({ id }) => id)})`.execute(ctx.db)
    const acts = new Map(keys.rows.map(({ id, key }) => [id, actsTable(actor.role).get(key)]))
    for (const chat of cases) {
      const allowed = mayWrite(actor, judgedAs(chat)).allowed
      assert.equal(acts.get(chat.id)?.includes('"write"'), allowed, JSON.stringify(chat))
    }
    const taken = await Promise.all(
      cases.map(({ id }) => batch.post(actor, { entity_id: id, content: 'words' })),
    )
    cases.forEach((chat, index) => {
      const said = `${actor.role} ${JSON.stringify(chat)}`
      const allowed = mayWrite(actor, judgedAs(chat)).allowed
      // Into threads the batch takes members alone; everybody else joins on the plain way.
      const expected = chat.kind === 'thread' ? chat.my_role !== null && !chat.archived : allowed
      assert.equal(taken[index] !== null, expected, said)
      assert.ok(allowed || !expected, said)
    })
  }
  const { rows } = await sql`select m.chat_id from chat_members m join chats c on c.id = m.chat_id
    where m.place <> ${PLACE}`.execute(ctx.db)
  assert.deepEqual(rows, [], 'the trigger and the roster give the same place')
})

test('accessOf, the list of bots and the list of editors agree on who edits a bot', async (t) => {
  const scene = await world(t)
  const { ctx, admin, alice, bob, owner } = scene
  const people: Actor[] = actorsOf(scene).filter(({ role }) => role !== 'bot' && role !== 'multi_guest')
  const gone = await scene.person({ nickname: 'gone' })
  await ctx.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', gone.id).execute()
  const chats: { id: number; kind: string; my_role: string | null }[] = []
  for (const kind of ['conversation', 'channel', 'thread'])
    for (const my_role of CHAT_ROLES) chats.push({ id: 1000 + chats.length, kind, my_role })
  const bots: { id: number; can_edit: string[]; creator_id: number | null; chat_id: number }[] = []
  for (const can_edit of [[], ['admin'], ['chat_owners'], ['admin', 'chat_owners']])
    for (const creator_id of [alice.id, admin.id, bob.id, gone.id, null])
      for (const { id: chat_id } of chats)
        bots.push({ id: 2000 + bots.length, can_edit, creator_id, chat_id })
  const chatRows = sql`jsonb_to_recordset(${JSON.stringify(chats)}::jsonb) as k (id bigint, kind text, my_role text)`
  const botRows = sql`jsonb_to_recordset(${JSON.stringify(bots)}::jsonb)
    as b (id bigint, can_edit text[], creator_id bigint, chat_id bigint)`
  await sql`insert into chats (id, kind, name, owner_id, meet_slug, created_at, last_message_at) overriding system value
    select id, kind, '', ${owner.id}, 'matrix-' || id, now(), now() from ${chatRows}`.execute(ctx.db)
  await sql`insert into users (id, bot, role, first_name, nickname, created_at) overriding system value
    select id, true, 'user', 'Bot', 'matrix' || id || '_bot', now() from ${botRows}`.execute(ctx.db)
  await sql`insert into bots (user_id, creator_id, can_edit, signing_secret)
    select id, creator_id, can_edit, 'x' from ${botRows}`.execute(ctx.db)
  await sql`insert into chat_members (chat_id, user_id, role, joined_at)
    select k.id, u.id, k.my_role, now() from ${chatRows}
    cross join unnest(${people.map(({ user_id }) => user_id)}::bigint[]) as u (id) where k.my_role is not null
    union all select chat_id, id, 'member', now() from ${botRows}`.execute(ctx.db)

  const manages = new Set(
    chats
      .filter(({ kind, my_role }) => kind !== 'thread' && (my_role === 'owner' || my_role === 'admin'))
      .map(({ id }) => id),
  )
  for (const integrations of ['all', 'admins']) {
    await ctx.db.updateTable('workspace').set({ integrations }).execute()
    const access = (actor: Actor, { can_edit, creator_id, chat_id }: (typeof bots)[number]): Access =>
      accessOf(actor, {
        can_edit,
        creator_id,
        integrations,
        owns_chat: manages.has(chat_id),
        orphaned: creator_id === null || creator_id === gone.id,
      })
    for (const actor of people) {
      const rows = await listBotsFor(ctx.db, actor, undefined, readPaging({}, ALL))
      const expected = bots.filter((bot) => access(actor, bot) !== 'none').map(({ id }) => id)
      const listed = rows.filter(({ user_id }) => user_id >= 2000)
      assert.deepEqual(
        sorted(listed.map(({ user_id }) => user_id)),
        expected,
        `${integrations} ${actor.role}`,
      )
      for (const row of listed) {
        const bot = bots.find(({ id }) => id === row.user_id) as (typeof bots)[number]
        assert.equal(accessOf(actor, row), access(actor, bot))
      }
    }
    for (const bot of bots.filter(({ creator_id }) => creator_id === alice.id)) {
      const editors = (await listEditorIds(ctx.db, bot.id)).filter((id) => id !== bob.id)
      const expected = people.filter((actor) => access(actor, bot) !== 'none').map(({ user_id }) => user_id)
      assert.deepEqual(editors, sorted(expected), `${integrations} ${JSON.stringify(bot)}`)
    }
  }
})

test('maySee and the database agree on who sees whom', async (t) => {
  const scene = await world(t)
  const { ctx, mia, alice, bob, office, owner } = scene
  const cases: { id: number; kind: string | null; archived: boolean; who_can_add: string | null }[] = []
  for (const who_can_add of [null, 'creator', 'creator_admin', 'creator_admin_user', 'anyone'])
    for (const kind of [null, 'conversation', 'channel', 'personal', 'thread'])
      for (const archived of EITHER) cases.push({ id: 3000 + cases.length, kind, archived, who_can_add })
  const rows = sql`jsonb_to_recordset(${JSON.stringify(cases)}::jsonb)
    as k (id bigint, kind text, archived boolean, who_can_add text)`
  await sql`insert into users (id, bot, role, first_name, nickname, created_at) overriding system value
    select id, who_can_add is not null, 'user', 'P', 'p' || id, now() from ${rows}`.execute(ctx.db)
  await sql`insert into bots (user_id, who_can_add, signing_secret)
    select id, who_can_add, 'x' from ${rows} where who_can_add is not null`.execute(ctx.db)
  await sql`insert into chats (id, kind, name, owner_id, personal_key, meet_slug, archived_at, created_at, last_message_at)
    overriding system value
    select id, kind, '', ${owner.id}, case when kind = 'personal' then ${mia.id}::text || ':' || id end, 'matrix-' || id,
      case when archived then now() end, now(), now() from ${rows} where kind is not null`.execute(ctx.db)
  await sql`insert into chat_members (chat_id, user_id, role, joined_at)
    select k.id, u.id, 'member', now() from ${rows} cross join lateral unnest(array[k.id, ${mia.id}]) as u (id)
    where kind is not null`.execute(ctx.db)

  for (const [id, role] of [
    [mia.id, 'multi_guest'],
    [alice.id, 'user'],
  ] as const) {
    const actor = actingFor(id, role, 'standard')
    const seen = await sql<{ id: number }>`
      select u.id from users u where (u.id >= 3000 or u.id = any(${[mia.id, alice.id, bob.id, owner.id]}))
        and ${seenBy(actor)} order by u.id`.execute(ctx.db)
    const colleagues = [alice.id, bob.id].map((one) => ({ id: one, shares_chat: true, public_bot: false }))
    const people = [
      { id: owner.id, shares_chat: false, public_bot: false },
      ...colleagues,
      { id: mia.id, shares_chat: id === mia.id, public_bot: false },
      ...cases.map((one) => ({
        id: one.id,
        shares_chat: one.kind !== null && one.kind !== 'thread' && !one.archived,
        public_bot: one.who_can_add === 'anyone',
      })),
    ]
    const expected = people.filter((person) => maySee(actor, person)).map((person) => person.id)
    assert.deepEqual(
      seen.rows.map((row) => row.id),
      sorted(expected),
      `${role} in ${office.id}`,
    )
  }
})
