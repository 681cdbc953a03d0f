// People, tokens, chats and bots, written straight into the database: a workspace of a size that can be measured.
import { randomBytes } from 'node:crypto'
import { newTokenValue, scopesOf } from '../../server/dist/oauth/tokens.js'
import { hashToken } from '../../server/dist/platform/http/holders.js'

export const PEOPLE = 500
export const CHATS = 1000
/** Every chat has this many members, so that everybody is in forty chats. */
const MEMBERS = 20
const BOTS = 100

async function ids(db, text, values) {
  const { rows } = await db.query(text, values)
  return rows.map((row) => Number(row.id)).sort((a, b) => a - b)
}

function makePeople(db, count) {
  return ids(
    db,
    `insert into users (role, email, first_name, last_name, nickname, created_at)
     select 'user', 'p' || n || '@example.org', 'Person', 'Number' || n, 'p' || n, date_trunc('milliseconds', now()) from generate_series(1, $1) n returning id`,
    [count],
  )
}

async function makeTokens(db, userIds, kind) {
  const values = userIds.map(() => newTokenValue())
  await db.query(
    `insert into tokens (user_id, kind, hash, mask, scopes, created_at)
     select u, $3, h, 'bench', $4, date_trunc('milliseconds', now()) from unnest($1::bigint[], $2::bytea[]) as t (u, h)`,
    [userIds, values.map(hashToken), kind, scopesOf('user')],
  )
  return values
}

function makeChats(db, count, owner, kind = 'conversation') {
  return ids(
    db,
    `insert into chats (kind, name, owner_id, meet_slug, created_at, last_message_at)
     select $3, 'Room ' || n, $2, 'room-' || n, date_trunc('milliseconds', now()), date_trunc('milliseconds', now()) from generate_series(1, $1) n returning id`,
    [count, owner, kind],
  )
}

function join(db, pairs) {
  return db.query(
    `insert into chat_members (chat_id, user_id, role, joined_at)
     select c, u, 'member', date_trunc('milliseconds', now()) from unnest($1::bigint[], $2::bigint[]) as t (c, u)`,
    [pairs.map(([chat]) => chat), pairs.map(([, user]) => user)],
  )
}

export async function makeBots(db, { count = BOTS, url, creator }) {
  const bots = await ids(
    db,
    `insert into users (bot, role, first_name, nickname, created_at)
     select true, 'user', 'Bot ' || n, 'bench_bot_' || gen_random_uuid(), date_trunc('milliseconds', now()) from generate_series(1, $1) n returning id`,
    [count],
  )
  await db.query(
    `insert into bots (user_id, creator_id, outgoing_url, trigger_on, kind, inbound_key, signing_secret)
     select b, $2, $3, 'all_messages', 'simple', gen_random_uuid()::text, $4 from unnest($1::bigint[]) as b`,
    [bots, creator, url, `whsec_${randomBytes(32).toString('base64')}`],
  )
  return bots
}

/**
 * The stage: a thousand rooms, every tenth with a bot, one hall with everybody in it, and one room with all the bots.
 * A workspace of more people has more rooms. `writers` are people with tokens, each with the rooms they are in.
 */
export async function makeStage(db, hookUrl, { people: count = PEOPLE } = {}) {
  const chats = (CHATS / PEOPLE) * count
  const people = await makePeople(db, count)
  const tokens = await makeTokens(db, people, 'personal')
  const sessions = await makeTokens(db, people, 'session')
  const rooms = await makeChats(db, chats, people[0])
  const [hall, echo] = await makeChats(db, 2, people[0])
  const bots = await makeBots(db, { url: hookUrl, creator: people[0] })
  const every = count / MEMBERS
  const isIn = (person, room) => (person - room + chats) % every === 0
  const writers = people.map((id, person) => ({
    id,
    token: tokens[person],
    session: sessions[person],
    rooms: rooms.filter((_, room) => isIn(person, room)),
  }))
  await join(
    db,
    writers.flatMap(({ id, rooms: own }) => [...own, hall].map((chat) => [chat, id])),
  )
  await join(db, [[echo, people[0]], ...bots.map((bot) => [echo, bot])])
  await join(
    db,
    bots.map((bot, n) => [rooms[n * 10], bot]),
  )
  const withBot = new Set(bots.map((_, n) => rooms[n * 10]))
  await db.query('analyze')
  return { writers, rooms, withBot, hall, echo, bots }
}
