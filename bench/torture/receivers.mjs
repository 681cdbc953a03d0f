// Receivers of webhooks that misbehave: refuse, hang, hang up, or take their time. What they took is remembered.
import { createServer } from 'node:http'

const FAULTS = ['refuse', 'hang', 'hang-up', 'late', 'busy']

/**
 * `faults` is how often each bot and chat may be failed: a failed delivery is tried again after ten seconds, and holds
 * up all behind it.
 */
export async function openReceivers(random, { faults }) {
  const taken = new Map()
  const left = new Map()
  const failedOnce = new Set()
  let sorely = true

  function faultFor(bot, event) {
    const lane = `${bot}:${event.chat_id}`
    const id = `${lane}:${event.event}:${event.id}`
    const budget = left.get(lane) ?? faults
    if (!sorely || budget === 0 || failedOnce.has(id) || random() > 0.08) return undefined
    failedOnce.add(id)
    left.set(lane, budget - 1)
    return FAULTS[Math.floor(random() * FAULTS.length)]
  }

  function take(bot, event, response) {
    if (response.destroyed) return
    const list = taken.get(bot) ?? []
    taken.set(bot, list)
    list.push(event)
    response.end('ok')
  }

  const server = createServer((request, response) => {
    const parts = []
    request.on('data', (part) => parts.push(part))
    request.on('end', () => {
      const bot = Number(request.url.split('/').at(-1))
      const event = JSON.parse(Buffer.concat(parts))
      const fault = faultFor(bot, event)
      if (fault === 'refuse') return response.writeHead(500).end()
      if (fault === 'busy') return response.writeHead(429, { 'Retry-After': '1' }).end()
      if (fault === 'hang') return
      if (fault === 'hang-up') return request.socket.destroy()
      if (fault === 'late') return setTimeout(() => take(bot, event, response), 1500)
      take(bot, event, response)
    })
    request.on('error', () => {})
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    urlOf: (bot) => `http://127.0.0.1:${server.address().port}/bot/${bot}`,
    taken: (bot) => taken.get(bot) ?? [],
    faults: () => failedOnce.size,
    behave() {
      sorely = false
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
