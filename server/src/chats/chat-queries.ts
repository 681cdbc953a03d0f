import { sql } from 'kysely'
import { type Db, type Pool, read, rows } from '../platform/db/index.js'
import { chatJsonSql, THREAD_SQL } from './chat-json-sql.js'
import type { ReadableChat } from './rules.js'

/** These chats as JSON by id, as the viewer sees them. */
export async function readChatTexts(
  db: Db,
  viewerId: number,
  meet: string,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const found = await read(
    db,
    sql<{ id: number; json: string }>`
    select c.id, ${sql.raw(chatJsonSql('v.user_id', 'v.meet'))} as json
    from (select ${viewerId}::bigint as user_id, ${meet}::text as meet) v
    cross join unnest(${ids}::bigint[]) as asked (id) join chats c on c.id = asked.id ${sql.raw(THREAD_SQL)}`,
  )
  return new Map(found.map(({ id, json }) => [id, json]))
}

export interface AskedChat {
  chat_id: number
  user_id: number
}

/** A chat as JSON, and all that reading it depends on. */
export interface SeenChat extends ReadableChat {
  json: string
}

const SEEN = `
  select v.n, c.kind, c.public, me.role as my_role, p.public as parent_public, mine.role as my_parent_role,
    ${chatJsonSql('v.user_id', '$3::text')} as json
  from unnest($1::bigint[], $2::bigint[]) with ordinality as v (chat_id, user_id, n)
  join chats c on c.id = v.chat_id ${THREAD_SQL}
  left join chat_members me on me.chat_id = c.id and me.user_id = v.user_id
  left join chat_members mine on mine.chat_id = p.id and mine.user_id = v.user_id`

/** The chat that each of these people asks for; undefined where there is none. */
export async function findSeenChats(
  pool: Pool,
  meet: string,
  asked: readonly AskedChat[],
): Promise<(SeenChat | undefined)[]> {
  const chats = asked.map(({ chat_id }) => chat_id)
  const people = asked.map(({ user_id }) => user_id)
  const answers: (SeenChat | undefined)[] = asked.map(() => undefined)
  for (const { n, ...chat } of await rows<SeenChat & { n: number }>(pool, SEEN, [chats, people, meet]))
    answers[n - 1] = chat
  return answers
}
