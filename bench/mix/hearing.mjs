// Whoever listens hears everything once: bots that are called, and the live stream of the owner.
import { connect, live } from '../../sdk/dist/index.js'

/** Resolves when the stream is open. */
export async function listen(url, { token }) {
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

export async function checkHearing(pool, { receiver, bots, owner, stream }) {
  const faults = []
  for (const bot of bots.filter(({ number }) => number > 0)) {
    const { rows } = await pool.query(
      'select from users where id = $1 and (suspended or deleted_at is not null)',
      [bot.id],
    )
    if (rows.length > 0) continue
    const heard = receiver
      .taken(bot.number)
      .filter(({ event, type }) => event === 'new' && type === 'message')
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
