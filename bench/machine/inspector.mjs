// Profiles a server from outside through its inspector, for exactly as long as some work lasts.
import { WebSocket } from 'undici'

export async function openInspector(port) {
  const [target] = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  let next = 0
  const waiting = new Map()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(data)
    waiting.get(id)?.(result)
  })
  const ask = (method, params = {}) =>
    new Promise((resolve) => {
      next += 1
      waiting.set(next, resolve)
      socket.send(JSON.stringify({ id: next, method, params }))
    })
  await ask('Profiler.enable')
  await ask('Profiler.setSamplingInterval', { interval: 200 })
  return {
    async profile(work) {
      await ask('Profiler.start')
      const value = await work()
      const { profile } = await ask('Profiler.stop')
      return { value, profile }
    },
    close: () => socket.close(),
  }
}

/** Where a function lives: a package, Node itself, or a file of ours. */
function placeOf({ url, functionName }) {
  if (url === '') return functionName
  if (url.startsWith('node:')) return 'node'
  const own = /\/(server|contract|sdk)\/dist\/(.+)$/.exec(url)
  if (own) return own[2]
  return /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? url
}

/** Shares of the busy time, by place and by function, most first. */
export function summarise({ nodes, samples, timeDeltas }) {
  const self = new Map()
  for (const [n, id] of samples.entries()) self.set(id, (self.get(id) ?? 0) + timeDeltas[n])
  const places = new Map()
  const functions = new Map()
  let busy = 0
  for (const { id, callFrame } of nodes) {
    const us = self.get(id) ?? 0
    if (callFrame.functionName === '(idle)') continue
    busy += us
    const place = placeOf(callFrame)
    places.set(place, (places.get(place) ?? 0) + us)
    const name = `${callFrame.functionName || 'anonymous'} ${place}`
    functions.set(name, (functions.get(name) ?? 0) + us)
  }
  const most = (map, count) =>
    [...map]
      .sort((a, b) => b[1] - a[1])
      .slice(0, count)
      .map(([name, us]) => [name, us / busy])
  return { busy_us: busy, places: most(places, 14), functions: most(functions, 14) }
}
