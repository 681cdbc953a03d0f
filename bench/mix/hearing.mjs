// Whoever listens hears everything once, and nothing else: bots that are called, and live streams.
// Streams of people who are suspended end; that of the owner alone must be complete.
import { connect, live } from '../../sdk/dist/index.js'

/** Resolves when the stream is open. */
export async function listen(url, { id: user_id, token }) {
  const stop = new AbortController()
  const seen = []
  let open
  const opened = new Promise((resolve) => {
    open = resolve
  })
  const run = (async () => {
    for await (const frame of live(connect({ base_url: url, token }), { signal: stop.signal })) {
      if (frame.type === 'ready') open()
      if (frame.type === 'message.created') seen.push(frame.data.message?.id)
      if (frame.type === 'reset') seen.push('reset')
    }
  })().catch((error) => {
    if (!stop.signal.aborted) seen.push(`ended: ${error}`)
  })
  await opened
  return {
    user_id,
    seen,
    stop() {
      stop.abort()
      return run
    },
  }
}

const TOLD = `
  select (e.payload ->> 'message_id')::int as id, e.chat_id::int, e.position::float8, m.user_id::int
  from events e join messages m on m.id = (e.payload ->> 'message_id')::bigint and m.deleted_at is null
  join chats c on c.id = e.chat_id and c.kind in ('conversation', 'channel')
  where e.type = 'message.created' order by e.position`

const MOVES = `
  select type, chat_id::int, position::float8 from events
  where type in ('chat_members.added', 'chat_members.removed') and payload -> 'user_ids' @> to_jsonb($1::bigint) order by position`

/** A bot that was suspended was sent nothing meanwhile. */
const QUIET = `
  select id from users where id = $1 and deleted_at is not null
  union all select id from events where type = 'company_members.suspended' and payload -> 'user_ids' @> to_jsonb($1::bigint)`

/** Of what is still there, what was said while somebody was in. */
async function heardBy(pool, userId) {
  const { rows: told } = await pool.query(TOLD)
  const { rows: moves } = await pool.query(MOVES, [userId])
  const { rows: first } = await pool.query('select id::int from chats where owner_id = $1', [userId])
  const own = new Set(first.map(({ id }) => id))
  return told.filter(({ chat_id, position }) => {
    const last = moves.findLast((move) => move.chat_id === chat_id && move.position < position)
    return last ? last.type === 'chat_members.added' : own.has(chat_id)
  })
}

/** Messages of closed chats that somebody heard of who never was in them. A chat that was changed may have been open. */
const LEAKED = `
  select m.id::int, m.chat_id::int, m.user_id::int from messages m join chats c on c.id = m.chat_id
  left join threads t on t.chat_id = c.id left join chats p on p.id = t.message_chat_id
  where m.id = any($2) and not coalesce(p.public, c.public) and $1 <> all(array[c.owner_id, coalesce(p.owner_id, 0)])
    and not exists (select from chat_members x where x.chat_id in (c.id, p.id) and x.user_id = $1)
    and not exists (select from events e where e.chat_id in (c.id, p.id) and (e.type = 'chat.updated'
      or e.type = 'chat_members.added' and e.payload -> 'user_ids' @> to_jsonb($1::bigint)))`

async function checkLeaks(pool, userId, ids) {
  const { rows } = await pool.query(LEAKED, [userId, ids])
  return rows.length > 0 ? [`${userId} heard of ${JSON.stringify(rows.slice(0, 3))}`] : []
}

export async function checkHearing(pool, { receiver, bots, owner, streams }) {
  const [stream] = streams
  const faults = []
  for (const { user_id, seen } of streams)
    faults.push(...(await checkLeaks(pool, user_id, seen.filter(Number.isInteger))))
  for (const bot of bots.filter(({ number }) => number > 0)) {
    const told = receiver.taken(bot.number).filter(({ type }) => type === 'message')
    faults.push(
      ...(await checkLeaks(
        pool,
        bot.id,
        told.map(({ id }) => id),
      )),
    )
    const { rows } = await pool.query(QUIET, [bot.id])
    if (rows.length > 0) continue
    const heard = told.filter(({ event }) => event === 'new')
    const ids = new Set(heard.map(({ id }) => id))
    const missing = (await heardBy(pool, bot.id)).filter(
      ({ id, user_id }) => !ids.has(id) && user_id !== bot.id,
    )
    if (missing.length > 0) faults.push(`bot ${bot.id} never heard of ${JSON.stringify(missing.slice(0, 3))}`)
  }
  const seen = new Set(stream.seen)
  // The stream shows what its reader may see when it comes: nothing more of a chat that they have left.
  const { rows } = await pool.query(MOVES, [owner.id])
  const left = new Set(
    rows.filter(({ type }) => type === 'chat_members.removed').map(({ chat_id }) => chat_id),
  )
  const missed = (await heardBy(pool, owner.id)).filter(
    ({ id, chat_id }) => !seen.has(id) && !left.has(chat_id),
  )
  if (missed.length > 0) faults.push(`the owner's stream missed ${JSON.stringify(missed.slice(0, 3))}`)
  if (seen.has('reset')) faults.push("the owner's stream had to begin anew")
  if (stream.seen.length > seen.size)
    faults.push(`the owner's stream told of ${stream.seen.length - seen.size} twice`)
  return faults
}
