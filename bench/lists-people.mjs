// Lists of people and tasks cost the same on a big workspace as on a small one.
//   node bench/lists-people.mjs [small] [big]
import './help.mjs'
import { withStage } from './stage.mjs'

const [small = 1_000, big = 100_000] = process.argv.slice(2).map(Number)
const ROUNDS = 60
const TOKEN = 'bench-owner-token-that-is-long-enough-to-be-one'

/** People, a chat for each hundred of them, and three tasks for each person in it. */
async function grow({ query }, from, to) {
  await query(
    `insert into users (role, email, first_name, last_name, nickname, created_at)
     select 'user', 'n' || n || '@example.org', 'First' || md5(n::text), 'Last' || n, 'nick' || n, now()
     from generate_series($1::int, $2::int) n`,
    [from, to],
  )
  await query(
    `insert into chats (kind, name, owner_id, meet_slug, created_at, last_message_at)
     select 'conversation', 'chat ' || u.id, u.id, 'slug-' || u.id, now(), now()
     from users u where u.nickname like 'nick%' and u.id % 100 = 0
       and not exists (select from chats c where c.owner_id = u.id)`,
  )
  await query(
    `insert into chat_members (chat_id, user_id, role, joined_at)
     select c.id, u.id, 'member', now() from chats c join users u on u.id between c.owner_id - 99 and c.owner_id
     on conflict do nothing`,
  )
  // The owner, who asks, is in the same ten chats whatever the size.
  await query(
    `insert into chat_members (chat_id, user_id, role, joined_at)
     select c.id, (select id from users where role = 'owner'), 'member', now() from chats c order by c.id limit 10
     on conflict do nothing`,
  )
  await query(
    `insert into tasks (kind, content, priority, user_id, chat_id, created_at)
     select 'call', 'Task', 1, m.user_id, m.chat_id, now() from chat_members m, generate_series(1, 3)
     where m.user_id between $1::int and $2::int`,
    [from, to],
  )
  await query(
    `insert into task_performers (task_id, user_id)
     select id, user_id from tasks on conflict do nothing`,
  )
  await query('vacuum analyze')
}

async function timed(url) {
  const times = []
  let next
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now()
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${TOKEN}` } })
    const body = await answer.json()
    times.push(performance.now() - began)
    if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${JSON.stringify(body)}`)
    next = body.meta.paginate.next_page
  }
  times.sort((a, b) => a - b)
  return { median: times[Math.floor(times.length / 2)], next }
}

async function measure(base) {
  const first = await timed(`${base}/users?limit=50`)
  const second = await timed(`${base}/users?limit=50&cursor=${first.next}`)
  const tasks = await timed(`${base}/tasks?limit=50`)
  return {
    'people, first page': first.median,
    'people, second page': second.median,
    'people, by a part of one mail': (await timed(`${base}/users?query=n777@example`)).median,
    'tasks of own chats': tasks.median,
    'tasks, second page': (await timed(`${base}/tasks?limit=50&cursor=${tasks.next}`)).median,
    'tasks not done yet': (await timed(`${base}/tasks?limit=50&status=undone`)).median,
  }
}

await withStage(async (stage) => {
  const { hello } = await stage.server({ PARLEY_OWNER_TOKEN: TOKEN, PARLEY_RUN: 'web' })
  const base = `${hello.url}/v1`
  const at = {}
  let people = 10
  for (const size of [small, big]) {
    await grow(stage, people, size)
    people = size + 1
    await measure(base)
    at[size] = await measure(base)
  }
  for (const [list, ms] of Object.entries(at[small])) {
    const grown = at[big][list]
    console.log(
      `${list}: ${ms.toFixed(1)} ms with ${small} people, ${grown.toFixed(1)} ms with ${big} (x${(grown / ms).toFixed(2)})`,
    )
  }
})
