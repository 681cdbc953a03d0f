import { once } from 'node:events'
import { makeBots, sleep, withStage } from './stage.mjs'

const EVENTS = Number(process.env.EVENTS ?? 6_000)
const KILLS = Number(process.env.KILLS ?? 12)

/**
 * Two servers on one database. Events are committed all the while, and at random moments a server or the database is
 * killed. In the end what arrived is held against what was committed.
 */
export const kills = () =>
  withStage(async (stage) => {
    const receiver = await stage.receiver()
    const base = `http://127.0.0.1:${receiver.hello.port}`
    const servers = [await stage.server(), await stage.server()]
    const bots = await makeBots(stage, { count: 10, chats_each: 3, urlOf: (id) => `${base}/ok/${id}` })
    const chats = bots.flatMap((bot) => bot.chats)
    let next = 1
    let feeding = true

    async function feed(index) {
      while (feeding && next <= EVENTS) {
        const server = servers[index]
        if (!server || server.child.exitCode !== null || !server.child.connected) {
          await sleep(20)
          continue
        }
        const message_id = next
        next += 1
        server.child.send({ emit: { message_id, chat_id: chats[message_id % chats.length], user_id: 1 } })
        const end = new AbortController()
        const heard = ['message', 'exit'].map((name) => once(server.child, name, end).catch(() => {}))
        await Promise.race([...heard, sleep(3000)])
        end.abort()
      }
    }

    const feeders = [0, 1].map(feed)
    const killed = { server: 0, database: 0 }
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(1000 + Math.random() * 3000)
      if (kill % 4 === 3) {
        killed.database += 1
        process.kill(stage.postgres.pid, 'SIGKILL')
        continue
      }
      killed.server += 1
      const index = Math.floor(Math.random() * 2)
      const { child } = servers[index]
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
      servers[index] = await restart(stage)
    }
    while (next <= EVENTS) await sleep(100)
    feeding = false
    await Promise.all(feeders)

    let left = 1
    for (let wait = 0; wait < 600 && left > 0; wait += 1) {
      await sleep(200)
      const [row] = await stage
        .query(
          `select (select count(*) from waiting_events)::int
             + (select count(*) from deliveries where state = 'pending')::int as left`,
        )
        .catch(() => [{ left: 1 }])
      left = row.left
    }
    const events = await stage.query(
      `select (payload ->> 'message_id')::int as id, chat_id::int from events where type = 'message.created' order by position`,
    )
    const { seen } = await receiver.ask('report')
    report(events, seen, killed, left)
  })

async function restart(stage) {
  for (;;) {
    try {
      const server = await stage.server()
      if (server.hello?.ready) return server
    } catch {
      await sleep(200)
    }
  }
}

function report(events, seen, killed, left) {
  const arrived = new Map()
  for (const [, chat, id] of seen) if (!arrived.has(id)) arrived.set(id, chat)
  const committed = new Set(events.map(({ id }) => id))
  const lost = events.filter(({ id }) => !arrived.has(id)).length
  const unknown = [...arrived.keys()].filter((id) => !committed.has(id)).length
  const place = new Map(events.map(({ id }, index) => [id, index]))
  let disorder = 0
  const last = new Map()
  for (const [id, chat] of arrived) {
    if ((last.get(chat) ?? -1) > place.get(id)) disorder += 1
    last.set(chat, Math.max(last.get(chat) ?? -1, place.get(id)))
  }
  console.log(
    `${killed.server} kills of a server, ${killed.database} of the database; committed ${committed.size}, arrived ${arrived.size}, ` +
      `lost ${lost}, never committed ${unknown}, out of order ${disorder}, repeats ${seen.length - arrived.size}, still waiting ${left}`,
  )
  if (lost + unknown + disorder + left > 0) process.exitCode = 1
}
