// A workspace of a size that a browser has to bear: 200 people, 500 chats, and one chat of 50 000 messages.
import { newTokenValue } from '../../server/dist/oauth/tokens.js'
import { hashToken } from '../../server/dist/platform/http/holders.js'
import { makeTexts } from '../texts.mjs'

const PEOPLE = 200
const CHATS = 500
const IN_BIG = 50_000
/** The first chats have a page of messages each, the others a few. */
const IN_EACH = 40
const FULL_CHATS = 40
const IN_OTHERS = 3

async function makePeople(db) {
  const { rows } = await db.query(
    `insert into users (role, email, first_name, last_name, nickname, created_at)
     select 'user', 'p' || n || '@example.org', 'Person', 'Number' || n, 'p' || n, now() from generate_series(1, $1) n returning id`,
    [PEOPLE],
  )
  return rows.map(({ id }) => Number(id)).sort((a, b) => a - b)
}

async function makeToken(db, user_id) {
  const value = newTokenValue()
  await db.query(
    `insert into tokens (user_id, kind, hash, mask, scopes, created_at, expires_at)
     values ($1, 'session', $2, 'bench', '{}', now(), now() + interval '1 day')`,
    [user_id, hashToken(value)],
  )
  return value
}

/** All people are in each chat of the reader up to ten, so that every chat has members to show. */
async function makeChats(db, people) {
  const { rows } = await db.query(
    `insert into chats (kind, name, owner_id, meet_slug, created_at, last_message_at)
     select case when n % 10 = 0 then 'channel' else 'conversation' end, 'Room ' || n, $2, 'room-' || n, now(), now() - n * interval '1 min'
     from generate_series(1, $1) n returning id`,
    [CHATS, people[0]],
  )
  const chats = rows.map(({ id }) => Number(id)).sort((a, b) => a - b)
  await db.query(
    `insert into chat_members (chat_id, user_id, role, joined_at)
     select c, u, case when u = $3 then 'owner' else 'member' end, now()
     from unnest($1::bigint[]) with ordinality x (c, cn) join unnest($2::bigint[]) with ordinality y (u, un)
       on un <= 2 or cn = 1 or un % 20 = cn % 20`,
    [chats, people, people[0]],
  )
  return chats
}

/** The messages of a chat from `first` on; the last of `total` was written just now. */
async function write(db, chat, authors, texts, { first = 1, count, total = count }) {
  const contents = Array.from({ length: count }, () => texts.text())
  await db.query(
    `insert into messages (chat_id, root_chat_id, user_id, content, number, created_at, changed_at)
     select $1, $1, ($2::bigint[])[1 + (number / 3) % cardinality($2::bigint[])], content, number, at, at
     from unnest($3::text[]) with ordinality m (content, n)
     cross join lateral (
       select $4 + n - 1 as number, date_trunc('milliseconds', now()) - ($5 - $4 - n) * interval '40 s' as at) t
     order by n`,
    [chat, authors, contents, first, total],
  )
}

export async function seed(db) {
  const texts = makeTexts(11)
  const people = await makePeople(db)
  const chats = await makeChats(db, people)
  const authors = people.slice(1, 10)
  const [big, ...rest] = chats
  // In every tenth, a channel, only its owner writes.
  const others = rest.filter((_, index) => (index + 2) % 10 !== 0)
  for (let first = 1; first < IN_BIG; first += 10_000)
    await write(db, big, authors, texts, { first, count: 10_000, total: IN_BIG })
  for (const [n, chat] of rest.entries())
    await write(db, chat, authors, texts, { count: n < FULL_CHATS ? IN_EACH : IN_OTHERS })
  await db.query(
    `update chats c set last_message_id = m.id, messages_count = m.count, last_message_at = m.at from (
       select chat_id, max(id) as id, count(*) as count, max(created_at) as at from messages group by chat_id) m where m.chat_id = c.id`,
  )
  await db.query(
    `update chat_members cm set read_message_id = c.last_message_id, read_number = c.messages_count from chats c where c.id = cm.chat_id`,
  )
  await db.query(
    `insert into reactions (message_id, user_id, emoji, code, name, created_at)
     select m.id, u, '👍', '👍', '', now() from messages m cross join unnest($1::bigint[]) u where m.id % 9 = 0`,
    [authors.slice(0, 3)],
  )
  await db.query('vacuum analyze')
  const [reader, writer] = people
  return {
    reader: { id: reader, token: await makeToken(db, reader) },
    writer: { id: writer, token: await makeToken(db, writer) },
    big,
    others,
  }
}
