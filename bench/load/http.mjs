// Requests over a fixed number of connections: as many as go through, or so many a second.
import { randomUUID } from 'node:crypto'
import { openConnection, requestBytes } from './connection.mjs'
import { createTally, window } from './tally.mjs'

function pickFrom(list, seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return list[Math.floor((state / 4294967296) * list.length)]
  }
}

/** Every connection sends its next request when the last is answered. */
function closedLoop(connections, next, tally, running) {
  for (const connection of connections) {
    const turn = () => {
      if (!running()) return
      const began = performance.now()
      connection.send(next(), (status) => {
        tally.note(performance.now() - began, status >= 200 && status < 300, status)
        if (status === 0) return setTimeout(turn, 50)
        turn()
      })
    }
    turn()
  }
}

/** Requests start at their time; one that finds every connection busy waits, and its wait counts. */
function openLoop(connections, next, tally, running, rate) {
  const free = [...connections]
  const due = []
  const began = performance.now()
  let planned = 0
  const serve = () => {
    while (free.length > 0 && due.length > 0) {
      const at = due.shift()
      const connection = free.pop()
      connection.send(next(), (status) => {
        tally.note(performance.now() - at, status >= 200 && status < 300, status)
        free.push(connection)
        serve()
      })
    }
  }
  const timer = setInterval(() => {
    if (!running()) return clearInterval(timer)
    const now = performance.now()
    for (; began + (planned * 1000) / rate <= now; planned += 1) due.push(began + (planned * 1000) / rate)
    serve()
  }, 1)
}

/** Each request with a key of its own. */
function withKeys(next) {
  return () => {
    const bytes = next()
    const line = bytes.indexOf('\r\n')
    const key = Buffer.from(`\r\nIdempotency-Key: ${randomUUID()}`)
    return Buffer.concat([bytes.subarray(0, line), key, bytes.subarray(line)])
  }
}

export async function loadHttp(
  { target, requests, connections = 32, rate, keyed = false, seed = 1, ...times },
  tell,
) {
  const ready = requests.map((request) => requestBytes(request, target))
  const opened = Array.from({ length: connections }, () => openConnection(target))
  await Promise.all(opened.map((connection) => connection.ready))
  const tally = createTally()
  let running = true
  const pick = pickFrom(ready, seed)
  const next = keyed ? withKeys(pick) : pick
  if (rate) openLoop(opened, next, tally, () => running, rate)
  else closedLoop(opened, next, tally, () => running)
  await window(tally, times, tell)
  running = false
  await new Promise((resolve) => setTimeout(resolve, 100))
  for (const connection of opened) connection.close()
  return tally.result()
}
