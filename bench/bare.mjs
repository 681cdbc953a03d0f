// The bare client of a comparison: the same bodies to the same receiver, and nothing else.
import { Agent, request } from 'undici'

const { URL: url, TOTAL: total, CONNECTIONS: connections } = process.env
const dispatcher = new Agent({ connections: Number(connections), pipelining: 1 })
const body = JSON.stringify({ id: 1, chat_id: 1, content: 'x'.repeat(420) })
const headers = { 'Content-Type': 'application/json' }

process.on('message', async () => {
  let left = Number(total)
  const began = performance.now()
  const cpu = process.cpuUsage()
  async function one() {
    while (left > 0) {
      left -= 1
      const answer = await request(url, { method: 'POST', headers, body, dispatcher })
      await answer.body.dump()
    }
  }
  await Promise.all(Array.from({ length: Number(connections) }, one))
  const { user, system } = process.cpuUsage(cpu)
  const per_second = Number(total) / ((performance.now() - began) / 1000)
  process.send({ per_second, cpu_us: (user + system) / Number(total) })
})
process.send({ ready: true })
