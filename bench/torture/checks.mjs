// What must be true afterwards, seen from outside. Each gives the faults it found, in words.
import { verifyAudit } from '../../server/dist/audit/verify.js'
import { openDb, openPool } from '../../server/dist/platform/db/index.js'

const listed = (faults, most = 5) => faults.slice(0, most)

async function rowsOf(pool, text, values) {
  const { rows } = await pool.query(text, values)
  return rows
}

/** Every answered write is there once, every other at most once, and nothing else is. */
export async function checkWrites(pool, { answered, unknown, edited }, rooms) {
  const rows = await rowsOf(
    pool,
    `select id::int, content from messages
     where chat_id = any($1) and not system and deleted_at is null and content not like 'planned-%'`,
    [rooms],
  )
  const seen = new Map()
  for (const { id, content } of rows) {
    const name = content.replace(/ edited$/, '')
    seen.set(name, [...(seen.get(name) ?? []), { id, content }])
  }
  const faults = []
  for (const [content, { id }] of answered) {
    const found = seen.get(content) ?? []
    if (found.length !== 1) faults.push(`${content} was answered and is there ${found.length} times`)
    else if (found[0].id !== id) faults.push(`${content} was answered as ${id} and is ${found[0].id}`)
    else if (edited.has(id) && found[0].content !== edited.get(id)) faults.push(`${content} lost its edit`)
  }
  for (const content of unknown) {
    if ((seen.get(content) ?? []).length > 1) faults.push(`${content} was sent once and is there twice`)
  }
  for (const name of seen.keys()) {
    if (!answered.has(name) && !unknown.has(name)) faults.push(`${name} was never sent`)
  }
  return listed(faults)
}

/** Each message has its one event, and events have positions without gaps in their order. */
export async function checkEvents(pool) {
  const missing = await rowsOf(
    pool,
    `select m.id::int, count(e.id)::int as events from messages m
     left join events e on e.type = 'message.created' and (e.payload ->> 'message_id')::bigint = m.id
     where not m.system group by m.id having count(e.id) <> 1 limit 5`,
  )
  const disordered = await rowsOf(
    pool,
    `select * from (select chat_id, (payload ->> 'message_id')::bigint as id,
       lag((payload ->> 'message_id')::bigint) over (partition by chat_id order by position) as before
     from events where type = 'message.created') x where id < before limit 5`,
  )
  const aside = await rowsOf(pool, 'select id::int, type, reason from set_aside_events limit 5')
  return [
    ...aside.map(({ id, type, reason }) => `event ${id} (${type}) was set aside: ${reason}`),
    ...missing.map(({ id, events }) => `message ${id} has ${events} events`),
    ...disordered.map(
      ({ chat_id, id, before }) => `in chat ${chat_id} message ${id} was told after ${before}`,
    ),
  ]
}

const byFirst = (list) => [...new Set(list)]

/** What a bot took of new messages in a chat: as often as it came, in order of first arrival. */
function arrivals(receivers, bot, chat) {
  const events = receivers.taken(bot).filter((event) => event.chat_id === chat && event.event === 'new')
  return byFirst(events.map(({ id }) => id))
}

async function told(pool, chat) {
  const rows = await rowsOf(
    pool,
    `select (payload ->> 'message_id')::int as id, position::float8 from events
     where type = 'message.created' and chat_id = $1 order by position`,
    [chat],
  )
  return rows
}

/** Bots that stayed heard every message of their rooms, in order. */
export async function checkDeliveries(pool, receivers, { steady, rooms }) {
  const faults = []
  for (const room of rooms.filter((_, n) => n % 2 === 0)) {
    const wanted = (await told(pool, room)).map(({ id }) => id)
    for (const bot of steady) {
      const heard = arrivals(receivers, bot, room)
      const missing = wanted.filter((id) => !heard.includes(id))
      if (missing.length > 0) faults.push(`bot ${bot} never heard of ${missing.slice(0, 5)} in chat ${room}`)
      else if (heard.join() !== wanted.join()) faults.push(`bot ${bot} heard chat ${room} out of order`)
    }
  }
  return listed(faults)
}

/** A bot that joins and leaves received everything sent while it was a member. */
export async function checkRoving(pool, receivers, { roving, rooms }) {
  const room = rooms[1]
  const moves = await rowsOf(
    pool,
    `select type, position::float8 from events where chat_id = $1 and type in ('chat_members.added', 'chat_members.removed')
       and payload -> 'user_ids' @> to_jsonb($2::bigint) order by position`,
    [room, roving],
  )
  const isIn = (position) =>
    moves.filter((move) => move.position < position).at(-1)?.type === 'chat_members.added'
  const heard = arrivals(receivers, roving, room)
  const wanted = (await told(pool, room)).filter(({ position }) => isIn(position)).map(({ id }) => id)
  const missing = wanted.filter((id) => !heard.includes(id))
  const sorted = [...heard].sort((a, b) => a - b)
  return [
    ...(missing.length > 0 ? [`the roving bot never heard of ${missing.slice(0, 5)}`] : []),
    ...(sorted.join() !== heard.join() ? ['the roving bot heard its room out of order'] : []),
  ]
}

/** Rosters are what the answers to the manager said. */
export async function checkRosters(pool, { rosters }) {
  const faults = []
  for (const [club, wanted] of rosters) {
    const rows = await rowsOf(
      pool,
      'select user_id::int as id from chat_members where chat_id = $1 order by 1',
      [club],
    )
    const have = rows.map(({ id }) => id).join()
    const want = [...wanted].sort((a, b) => a - b).join()
    if (have !== want) faults.push(`club ${club} holds ${have} and should hold ${want}`)
  }
  return faults
}

const COUNTERS = {
  'a chat points at a message that is not its last': `
    select c.id from chats c where c.last_message_id is distinct from
      (select max(id) from messages m where m.chat_id = c.id and not m.system)`,
  'a quota counts something else than the messages': `
    select q.user_id from message_quotas q where q.sent <>
      (select count(*) from messages m where m.user_id = q.user_id and m.root_chat_id = q.chat_id and m.quota_number is not null)`,
  'two messages have one number of a quota': `
    select user_id from messages where quota_number is not null group by user_id, root_chat_id, quota_number having count(*) > 1`,
  'somebody has read further than the chat goes': `
    select m.user_id from chat_members m join chats c on c.id = m.chat_id where m.read_message_id > coalesce(c.last_message_id, 0)`,
  'search does not know a word of a message': `
    select m.id from messages m, unnest(search_words_in(content, file_names)) as said
    where not system and deleted_at is null and not exists (select from search_words known where known.word = said)`,
  'a delivery is left over': `select id from deliveries where state in ('pending', 'failed')`,
  'a job was given up': `select id from jobs where failed_at is not null`,
}

export async function checkCounters(pool) {
  const faults = []
  for (const [words, text] of Object.entries(COUNTERS)) {
    const rows = await rowsOf(pool, `${text} limit 5`)
    if (rows.length > 0) faults.push(`${words}: ${rows.map((row) => Object.values(row)[0])}`)
  }
  return faults
}

/** Every server shows the same latest messages, and they are those of the table: no cache is stale. */
export async function checkPages(pool, cluster, { rooms, manager }) {
  const faults = []
  for (const room of rooms) {
    const rows = await rowsOf(
      pool,
      'select id::int from messages where chat_id = $1 and deleted_at is null order by id desc limit 50',
      [room],
    )
    const wanted = rows.map(({ id }) => id).join()
    for (const url of cluster.urls) {
      const answer = await fetch(`${url}/v1/messages?chat_id=${room}&limit=50`, {
        headers: { Authorization: `Bearer ${manager.token}` },
      })
      const { data = [] } = await answer.json()
      if (data.map(({ id }) => id).join() !== wanted)
        faults.push(`${url} shows another latest page of chat ${room}`)
    }
  }
  return listed(faults)
}

/** Every planned message was sent, once, and not before its time. */
export async function checkSchedules(pool, { planned }) {
  const rows = await rowsOf(pool, `select content, created_at from messages where content like 'planned-%'`)
  const faults = []
  for (const [content, start_date] of planned) {
    const sent = rows.filter((row) => row.content === content)
    if (sent.length !== 1) faults.push(`${content} was planned once and sent ${sent.length} times`)
    else if (sent[0].created_at < new Date(start_date)) faults.push(`${content} was sent before its time`)
  }
  return listed(faults)
}

/** The log is one unbroken chain, and every answered message is in it. */
export async function checkAudit(pool, primary) {
  const db = openDb(openPool({ url: primary, size: 2, onError: () => {} }))
  try {
    const verdict = await verifyAudit(db)
    // Tables that nobody has counted yet are joined row by row, which takes longer than a statement may.
    await pool.query('analyze messages, audit_events, audit_blocks')
    const unlogged = await rowsOf(
      pool,
      `with logged as (
         select entity_id::bigint as id from audit_events where event_key = 'message_created'
         union all select unnest(message_ids) from audit_blocks
         union all select unnest(message_ids) from audit_waiting
       )
       select m.id::int, count(a.id)::int as times from messages m left join logged a on a.id = m.id
       where not m.system group by m.id having count(a.id) <> 1 limit 5`,
    )
    return [
      ...(verdict.whole ? [] : [`the audit chain breaks at ${verdict.position}: ${verdict.fault}`]),
      ...unlogged.map(({ id, times }) => `message ${id} is ${times} times in the audit log`),
    ]
  } finally {
    await db.destroy()
  }
}

/** Each export was answered once and became one archive, with a notice to its receiver. */
export async function checkExports(pool, exporting, told) {
  const rows = await rowsOf(pool, 'select id::int, state from exports')
  const unready = rows.filter(({ state }) => state !== 'ready')
  const count = exporting.ordered()
  return [
    ...(rows.length === count ? [] : [`${count} exports were ordered and ${rows.length} are there`]),
    ...unready.map(({ id, state }) => `export ${id} is ${state}`),
    ...(new Set(told.map((event) => event.export_id ?? event.id)).size < count
      ? ['an export was finished and not told of']
      : []),
  ]
}

/** Every stream had every message of its rooms, each once, in order within a room. */
export async function checkStreams(pool, watching, rooms) {
  const rows = await rowsOf(
    pool,
    'select id::int from messages where chat_id = any($1) and not system order by id',
    [rooms],
  )
  const ids = rows.map(({ id }) => id)
  await watching.stop(ids.at(-1))
  return listed(
    watching.watchers.flatMap(({ name, seen }) => {
      const had = new Set(seen)
      const lost = ids.filter((id) => !had.has(id))
      return [
        ...(lost.length > 0
          ? [`the stream of ${name} missed ${lost.length} messages, first ${lost[0]}`]
          : []),
        ...(seen.length > had.size
          ? [`the stream of ${name} had ${seen.length - had.size} messages twice`]
          : []),
        ...(had.has('reset') ? [`the stream of ${name} had to begin anew`] : []),
      ]
    }),
  )
}
