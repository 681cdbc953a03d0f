import { makeBots, ms, percentile, sleep, withStage } from './stage.mjs'

const TOKEN = 'bench-owner-token-0123456789-0123456789-0123456789'
const SECONDS = Number(process.env.SECONDS ?? 8)
const BAD_WAYS = (process.env.WAYS ?? 'ok fail hang reset redirect busy unavailable gone ok').split(' ')

/** A hundred bots on one host; one of them misbehaves in every way while the others' latency is watched. */
export const neighbours = () =>
  withStage(async (stage) => {
    const receiver = await stage.receiver()
    const base = `http://127.0.0.1:${receiver.hello.port}`
    const server = await stage.server({ PARLEY_OWNER_TOKEN: TOKEN })
    const good = await makeBots(stage, { count: 99, chats_each: 1, urlOf: (id) => `${base}/ok/${id}` })
    const [bad] = await makeBots(stage, {
      count: 1,
      chats_each: 40,
      urlOf: (id) => `${base}/ok/${id}`,
      prefix: 'bad',
    })
    const chats = good.flatMap((bot) => bot.chats)
    const setBad = async (way) => {
      const answer = await fetch(`${server.hello.url}/v1/bots/${bad.id}`, {
        method: 'PUT',
        headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ webhook: { outgoing_url: `${base}/${way}/${bad.id}` } }),
      })
      if (answer.status !== 200) throw new Error(`PUT answered ${answer.status}: ${await answer.text()}`)
    }

    // Of five events one goes to a chat of the bad bot.
    const mixed = chats.flatMap((chat, index) =>
      index % 4 === 0 ? [chat, bad.chats[(index / 4) % 40]] : [chat],
    )
    const committed = []
    let first_id = 1
    const run = async (seconds) => {
      const answer = await server.ask({
        pace: { first_id, chats: mixed, user_id: 1, per_second: 100, seconds },
      })
      first_id += 100 * seconds
      committed.push(...answer.committed)
      return answer.committed
    }
    const settled = async (ids) => {
      for (let wait = 0; wait < 300; wait += 1) {
        const { seen } = await receiver.ask('report')
        const arrived = new Map()
        for (const [, chat, id, at, word] of seen)
          if (word === 'ok' && !arrived.has(id)) arrived.set(id, { at, chat })
        if (ids.every((id) => arrived.has(id))) return { arrived, seen }
        await sleep(200)
      }
      throw new Error('not everything arrived within a minute')
    }

    await run(3)
    for (const way of BAD_WAYS) {
      await setBad(way)
      const events = await run(SECONDS)
      const others = events.filter(([, chat]) => !bad.chats.includes(chat))
      const { arrived } = await settled(others.map(([id]) => id))
      const waits = others.map(([id, , at]) => arrived.get(id).at - at)
      console.log(
        `one bot ${way.padEnd(11)}: the others p50 ${ms(percentile(waits, 0.5))}, p99 ${ms(percentile(waits, 0.99))}, worst ${ms(percentile(waits, 1))}`,
      )
    }
    const [{ cancelled }] = await stage.query(
      "select count(*)::int as cancelled from deliveries where bot_id = $1 and state in ('cancelled', 'failed')",
      [bad.id],
    )
    const unsent = await stage.query(
      "select (payload::json ->> 'id')::int as id from deliveries where bot_id = $1 and state in ('cancelled', 'failed')",
      [bad.id],
    )
    const dropped = new Set(unsent.map(({ id }) => id))
    // While the address was gone for good there was none to make deliveries for.
    const owed = await stage.query(
      "select (payload::json ->> 'id')::int as id from deliveries where state <> 'cancelled'",
    )
    const due = owed.map(({ id }) => id).filter((id) => !dropped.has(id))
    const { arrived, seen } = await settled(due)
    let disorder = 0
    const last = new Map()
    for (const [id, { chat }] of arrived) {
      if ((last.get(chat) ?? 0) > id) disorder += 1
      last.set(chat, id)
    }
    const tries = seen.filter(([bot]) => bot === bad.id).length
    console.log(
      `${committed.length} events; ${due.length} owed and ${arrived.size} arrived, out of order ${disorder}; ` +
        `dropped with the address that was gone ${cancelled}; attempts at the bad bot ${tries}`,
    )
  })
