import { makeBots, ms, percentile, sleep, withStage } from './stage.mjs'

const PER_SECOND = 100
const SECONDS = Number(process.env.SECONDS ?? 20)

/** From the commit of an event to the first byte at the receiver, at an even pace. */
export const latency = () =>
  withStage(async (stage) => {
    const receiver = await stage.receiver()
    const base = `http://127.0.0.1:${receiver.hello.port}`
    const server = await stage.server()
    const bots = await makeBots(stage, { count: 20, chats_each: 5, urlOf: (id) => `${base}/ok/${id}` })
    const chats = bots.flatMap((bot) => bot.chats)
    const pace = (first_id, seconds) =>
      server.ask({ pace: { first_id, chats, user_id: 1, per_second: PER_SECOND, seconds } })
    await pace(1, 3)
    await sleep(1000)
    await receiver.ask('forget')
    const { committed } = await pace(100_000, SECONDS)
    for (let wait = 0; wait < 300 && (await receiver.ask('count')).count < committed.length; wait += 1)
      await sleep(200)
    const { seen } = await receiver.ask('report')
    const arrived = new Map(seen.map(([, , id, at]) => [id, at]))
    const waits = committed.map(([id, , at]) => arrived.get(id) - at)
    const lost = waits.filter((wait) => Number.isNaN(wait)).length
    const line = [0.5, 0.9, 0.99, 1]
      .map((share) => `p${share * 100} ${ms(percentile(waits, share))}`)
      .join(', ')
    console.log(
      `${committed.length} events at ${PER_SECOND}/s: ${line}; lost ${lost}, sent twice ${seen.length - arrived.size}`,
    )
  })
