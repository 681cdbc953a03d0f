// The messages that searches are measured on, in chats of which few have most.
import { once } from 'node:events'
import { from as copyFrom } from 'pg-copy-streams'
import { noteSegments } from './stage/history.mjs'
import { makeTexts } from './texts.mjs'

const [CHATS, AUTHORS] = [5000, 500]
const START_S = Date.UTC(2024, 0, 1) / 1000
const STEP_S = 30

/** Tokens of the people who search, by how many chats they are in. */
export const TOKENS = {
  40: 'a-token-of-somebody-in-forty-chats',
  400: 'a-token-of-somebody-in-four-hundred-chats',
  4000: 'a-token-of-somebody-in-four-thousand-chats',
}

async function makePeople(client, hashToken) {
  await client.query(`insert into users (role, first_name, last_name, nickname, email, created_at)
    select 'user', 'Имя' || i, 'Фамилия' || i, 'person' || i, 'person' || i || '@example.org', now()
    from generate_series(1, ${AUTHORS}) i`)
  await client.query(
    `insert into chats (kind, name, owner_id, meet_slug, created_at, last_message_at)
     select 'conversation', 'Чат ' || i, 1, 'chat-' || i, now(), now() from generate_series(1, ${CHATS}) i`,
  )
  for (const [chats, token] of Object.entries(TOKENS)) {
    await client.query(
      `with person as (
         insert into users (role, first_name, nickname, created_at) values ('user', 'Searcher', 'in' || $1, now()) returning id
       ), seat as (
         insert into chat_members (chat_id, user_id, role, joined_at)
         select c.id, person.id, 'member', now()
         from (select id, row_number() over (order by id) - 1 as n from chats where name like 'Чат %') c, person
         where n % (${CHATS} / $1::int) = 0 and n < $1::int * (${CHATS} / $1::int)
       )
       insert into tokens (user_id, kind, hash, mask, scopes, created_at, expires_at)
       select id, 'session', $2, 'bench', '{}', now(), now() + interval '1 year' from person`,
      [chats, hashToken(token)],
    )
  }
}

async function writeMessages(client, count, { first_chat, first_author }) {
  const { chance, text } = makeTexts(7)
  const stream = client.query(
    copyFrom('copy messages (chat_id, root_chat_id, user_id, content, created_at, changed_at) from stdin'),
  )
  let lines = []
  for (let index = 0; index < count; index += 1) {
    const chat = first_chat + Math.floor(CHATS * chance() ** 2)
    const author = first_author + Math.floor(AUTHORS * chance())
    const at = new Date((START_S + index * STEP_S) * 1000).toISOString()
    lines.push(`${chat}\t${chat}\t${author}\t${text()}\t${at}\t${at}\n`)
    if (lines.length === 5000) {
      if (!stream.write(lines.join(''))) await once(stream, 'drain')
      lines = []
    }
  }
  stream.end(lines.join(''))
  await once(stream, 'finish')
}

/** Fills an empty database; one that was filled before stays as it is. */
export async function fill(client, count, hashToken) {
  const { rows: filled } = await client.query('select count(*) from messages')
  if (Number(filled[0].count) === 0) await makePeople(client, hashToken)
  const { rows } = await client.query(
    `select (select min(id) from chats where name = 'Чат 1') as chat, (select id from users where nickname = 'person1') as author`,
  )
  const place = { first_chat: Number(rows[0].chat), first_author: Number(rows[0].author) }
  const found = { ...place, rare: makeTexts(7).rare[29_000] }
  if (Number(filled[0].count) > 0) return found
  // In bulk the words are learned and the index is built at the end.
  const { rows: defined } = await client.query(`select pg_get_indexdef('messages_search'::regclass) as text`)
  await client.query('set session_replication_role = replica')
  await client.query('drop index messages_search')
  await writeMessages(client, count, place)
  await client.query(
    `insert into search_words select distinct said from messages, unnest(search_words_in(content, file_names)) said`,
  )
  await client.query("set maintenance_work_mem = '1GB'")
  await client.query(defined[0].text)
  await client.query('set session_replication_role = origin')
  await noteSegments(client)
  await client.query('vacuum analyze messages, search_words, chat_members')
  return found
}
