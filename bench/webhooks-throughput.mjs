import { once } from 'node:events'
import { cpuOfTree, makeBots, pileUp, sleep, withStage } from './stage.mjs'

const TOTAL = Number(process.env.TOTAL ?? 20_000)
const ROUNDS = Number(process.env.ROUNDS ?? 3)
const CONNECTIONS = 48

/** A backlog of events processed from the relay to the receiver, alternating with a bare client. */
export const throughput = () =>
  withStage(async (stage) => {
    const receiver = await stage.receiver()
    const base = `http://127.0.0.1:${receiver.hello.port}`
    await receiver.ask('count only')
    const server = await stage.server()
    const bots = await makeBots(stage, { count: 50, chats_each: 4, urlOf: (id) => `${base}/ok/${id}` })
    const chats = bots.flatMap((bot) => bot.chats)
    const bare = await stage.child('./bare.mjs', {
      URL: `${base}/ok/0`,
      TOTAL: String(TOTAL),
      CONNECTIONS: String(CONNECTIONS),
    })
    for (let round = 1; round <= ROUNDS; round += 1) {
      const { per_second, cpu_us } = await bare.ask('go')
      await receiver.ask('forget')
      await pileUp(stage, chats, TOTAL)
      const [cpu, database] = [await server.ask('cpu'), cpuOfTree(stage.postgres.pid)]
      const began = performance.now()
      while ((await receiver.ask('count')).count < TOTAL) await sleep(20)
      const ours = TOTAL / ((performance.now() - began) / 1000)
      const [{ waiting }] = await stage.query(
        "select count(*)::int as waiting from deliveries where state = 'pending'",
      )
      await sleep(500)
      const after = await server.ask('cpu')
      const node_us = (after.user + after.system - cpu.user - cpu.system) / TOTAL
      const database_us = (cpuOfTree(stage.postgres.pid) - database) / TOTAL
      const ratio = (ours / per_second).toFixed(2)
      console.log(
        `round ${round}: bare ${per_second.toFixed(0)}/s (${cpu_us.toFixed(0)} us CPU each), deliveries ${ours.toFixed(0)}/s ` +
          `(${node_us.toFixed(0)} us, database ${database_us.toFixed(0)} us), ratio ${ratio}, unsettled at the end ${waiting}`,
      )
    }
    server.child.send({ stop: true })
    await once(server.child, 'exit')
  })
