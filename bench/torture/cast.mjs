// Who takes part: writers, a manager who moves people in and out of clubs, and bots, in a few chats.

import { newTokenValue, scopesOf } from '../../server/dist/oauth/tokens.js'
import { hashToken } from '../../server/dist/platform/http/holders.js'
import { makeBots } from '../stage/people.mjs'

const NOW = `date_trunc('milliseconds', now())`

async function person(db, name, role = 'user') {
  const { rows } = await db.query(
    `insert into users (role, email, first_name, nickname, created_at) values ($2, $1 || '@example.org', $1, $1, ${NOW}) returning id`,
    [name, role],
  )
  const id = Number(rows[0].id)
  const token = newTokenValue()
  await db.query(
    `insert into tokens (user_id, kind, hash, mask, scopes, created_at) values ($1, 'personal', $2, 'torture', $3, ${NOW})`,
    [id, hashToken(token), scopesOf(role)],
  )
  return { id, token, name }
}

async function chat(db, name, owner, members) {
  const { rows } = await db.query(
    `insert into chats (kind, name, owner_id, meet_slug, created_at, last_message_at)
     values ('conversation', $1, $2, $1, ${NOW}, ${NOW}) returning id`,
    [name, owner.id],
  )
  const id = Number(rows[0].id)
  await db.query(
    `insert into chat_members (chat_id, user_id, role, joined_at)
     select $1, u, case when u = $3 then 'owner' else 'member' end, ${NOW} from unnest($2::bigint[]) u`,
    [id, members, owner.id],
  )
  return id
}

async function times(count, make) {
  const made = []
  for (let n = 0; n < count; n += 1) made.push(await make(n))
  return made
}

/** Every second room has both bots, the first all of them; the last bot comes and goes. */
export async function gather(db, receivers) {
  const manager = await person(db, 'manager', 'admin')
  const writers = await times(6, (n) => person(db, `writer${n}`))
  const guests = await times(8, (n) => person(db, `guest${n}`))
  const bots = await makeBots(db, { count: 3, url: '', creator: manager.id })
  for (const bot of bots)
    await db.query(`update bots set outgoing_url = $2, who_can_add = 'anyone' where user_id = $1`, [
      bot,
      receivers.urlOf(bot),
    ])
  const [first, second, roving] = bots
  const people = [manager, ...writers].map(({ id }) => id)
  const rooms = await times(6, (n) =>
    chat(db, `room${n}`, manager, [...people, ...(n % 2 ? [] : [first, second])]),
  )
  const clubs = await times(2, (n) => chat(db, `club${n}`, manager, [manager.id]))
  return { manager, writers, guests, bots, steady: [first, second], roving, rooms, clubs }
}
