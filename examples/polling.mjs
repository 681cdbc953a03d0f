// A bot that nobody can reach from outside: it reads its queue. The handlers are those of a bot with webhooks.
// BASE_URL=http://127.0.0.1:8090/v1 OWNER_TOKEN=… node examples/polling.mjs
import { hostname, loadavg } from 'node:os'
import { bot, connect } from '@parley/sdk'

const { BASE_URL, OWNER_TOKEN, BOT_TOKEN } = process.env
const inside = bot({ base_url: BASE_URL, token: BOT_TOKEN })

inside.on('command', '/load', ({ reply }) => reply(`${hostname()}: ${loadavg()[0].toFixed(2)}`))

if (!BOT_TOKEN) {
  const owner = connect({ base_url: BASE_URL, token: OWNER_TOKEN })
  // The queue is filled only while this is on.
  const made = await inside.register(owner, { name: 'Inside', events_history_enabled: true })
  console.log(`bot ${made.id}: BOT_TOKEN=${made.access_token}`)
}
process.once('SIGTERM', () => inside.stop())
console.log('polling')
await inside.poll()
