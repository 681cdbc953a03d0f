// Several kinds of requests at once, each with its share of one rate, and a tally of each.
import { openConnection, requestBytes } from './connection.mjs'
import { createTally, window } from './tally.mjs'

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Kinds take turns by their shares, evenly spread: no chance, so that every run is the same. */
function turnsOf(kinds) {
  const owed = kinds.map(() => 0)
  const total = kinds.reduce((sum, { share }) => sum + share, 0)
  return () => {
    for (const [n, { share }] of kinds.entries()) owed[n] += share / total
    const next = owed.indexOf(Math.max(...owed))
    owed[next] -= 1
    return kinds[next]
  }
}

/** Requests start at their time; one that finds every connection busy waits, and its wait counts. */
export async function loadMix({ target, kinds, rate, connections = 128, ...times }, tell) {
  const ready = kinds.map(({ name, share, requests }) => {
    const bytes = requests.map((request) => requestBytes(request, target))
    let at = 0
    return { share, tally: createTally(), name, next: () => bytes[at++ % bytes.length] }
  })
  const free = Array.from({ length: connections }, () => openConnection(target))
  const opened = [...free]
  await Promise.all(opened.map((connection) => connection.ready))
  const all = createTally()
  const [nextKind, due] = [turnsOf(ready), []]
  const began = performance.now()
  let [planned, running] = [0, true]
  const serve = () => {
    while (free.length > 0 && due.length > 0) {
      const at = due.shift()
      const kind = nextKind()
      const connection = free.pop()
      connection.send(kind.next(), (status) => {
        const facts = [performance.now() - at, status >= 200 && status < 300, `${kind.name} ${status}`]
        for (const tally of [all, kind.tally]) tally.note(...facts)
        free.push(connection)
        serve()
      })
    }
  }
  const timer = setInterval(() => {
    if (!running) return clearInterval(timer)
    const now = performance.now()
    for (; began + (planned * 1000) / rate <= now; planned += 1) due.push(began + (planned * 1000) / rate)
    serve()
  }, 1)
  const every = (name) => () => {
    for (const { tally } of ready) tally[name]()
    all[name]()
  }
  await window({ begin: every('begin'), end: every('end') }, times, tell)
  running = false
  await sleep(100)
  for (const connection of opened) connection.close()
  return {
    ...all.result(),
    kinds: Object.fromEntries(ready.map(({ name, tally }) => [name, tally.result()])),
  }
}
