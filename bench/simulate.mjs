// node bench/simulate.mjs [seconds]: the event path at one, ten and a hundred times the rate that one box was measured at, with as many processes and
// database cores as that takes, and with one relay or several. Works from bench/results/event-path.json (node bench/event-path.mjs).
import './help.mjs'
import { readFileSync } from 'node:fs'
import { table } from './report/print.mjs'
import { randomFrom } from './stage/words.mjs'

const SLICE_S = 0.001
/** A relay rests between two rounds, and begins each with a round trip. */
const ROUND_S = 0.006
/** How busy whatever can be multiplied may be. */
const BUSY = 0.6

const seconds = Number(process.argv[2] ?? 20)
const { bots, steps } = JSON.parse(
  readFileSync(new URL('./results/event-path.json', import.meta.url), 'utf8'),
)
const cost = Object.fromEntries(
  Object.entries(steps).map(([name, { node_us, database_us }]) => [
    name,
    { node: node_us / 1e6, database: database_us / 1e6 },
  ]),
)

/** How many arrive in a slice: Poisson, by the normal distribution where there are many. */
function arrivals(mean, random) {
  if (mean > 50) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal))
  }
  let [count, left] = [0, random() - Math.exp(-mean)]
  for (let share = Math.exp(-mean); left > 0 && count < 500; left -= share) {
    count += 1
    share *= mean / count
  }
  return count
}

/** A queue of what came when, and how long each waited to be served. */
function createQueue() {
  const waiting = []
  const waits = []
  let [head, length] = [0, 0]
  return {
    length: () => length,
    add(at, count) {
      if (count > 0) waiting.push({ at, count })
      length += count
    },
    /** Serves so many, oldest first; gives what was served, with its arrival. */
    serve(count, now) {
      const served = []
      let left = Math.min(count, length)
      length -= left
      while (left > 0) {
        const first = waiting[head]
        const taken = Math.min(left, first.count)
        served.push({ at: first.at, count: taken })
        waits.push({ wait: now - first.at, count: taken })
        first.count -= taken
        left -= taken
        if (first.count === 0) head += 1
      }
      return served
    },
    quantile(share) {
      waits.sort((a, b) => a.wait - b.wait)
      const total = waits.reduce((sum, { count }) => sum + count, 0)
      let left = total * share
      for (const { wait, count } of waits) {
        left -= count
        if (left <= 0) return wait
      }
      return 0
    },
  }
}

/** What a rate needs so that nothing that can be multiplied is busier than BUSY. */
function sizeFor(rate) {
  const { send, place, seal, deliver } = cost
  const database = send.database + place.database + seal.database + bots * deliver.database
  return {
    web: Math.max(1, Math.ceil((rate * send.node) / BUSY)),
    workers: Math.max(1, Math.ceil((rate * (place.node + seal.node + bots * deliver.node)) / BUSY)),
    database_cores: Math.max(1, Math.ceil((rate * database) / BUSY)),
  }
}

/** How many events a relay places in a second: it waits for the database and for its readers, one batch after the other. */
const RELAY_BATCH = 500
const relayRate = () => RELAY_BATCH / (ROUND_S + RELAY_BATCH * (cost.place.node + cost.place.database))

function simulate(rate, relays) {
  const random = randomFrom(rate + relays)
  const size = sizeFor(rate)
  const [placing, delivering] = [createQueue(), createQueue()]
  const perDelivery = cost.deliver.node / size.workers
  let [placeable, deliverable] = [0, 0]
  for (let now = 0; now < seconds; now += SLICE_S) {
    placing.add(now, arrivals(rate * SLICE_S, random))
    // A relay that has nothing to do saves nothing up beyond one round.
    placeable = Math.min(placeable + relays * relayRate() * SLICE_S, relays * RELAY_BATCH)
    const placed = placing.serve(Math.floor(placeable), now + ROUND_S)
    placeable -= placed.reduce((sum, { count }) => sum + count, 0)
    for (const { at, count } of placed) delivering.add(at, arrivals(count * bots, random))
    deliverable = Math.min(deliverable + SLICE_S / perDelivery, 1000)
    const sent = delivering.serve(
      Math.floor(deliverable),
      now + ROUND_S + cost.deliver.node + cost.deliver.database,
    )
    deliverable -= sent.reduce((sum, { count }) => sum + count, 0)
  }
  const ms = (wait) => (wait > 1 ? `${wait.toFixed(1)} s, growing` : `${Math.round(wait * 1000)} ms`)
  return [
    Math.round(rate),
    size.web,
    size.workers,
    size.database_cores,
    relays,
    `${Math.round((100 * rate) / (relays * relayRate()))} %`,
    placing.length() > rate / 2
      ? 'falls behind'
      : `${ms(placing.quantile(0.5))} / ${ms(placing.quantile(0.99))}`,
    placing.length() > rate / 2 ? '–' : `${ms(delivering.quantile(0.5))} / ${ms(delivering.quantile(0.99))}`,
  ]
}

const today = 1e6 / Math.max(steps.send.node_us, steps.send.database_us)
const rows = [1, 10, 100].flatMap((factor) => {
  const needed = Math.max(1, Math.ceil((today * factor) / (relayRate() * BUSY)))
  return [...new Set([1, needed])].map((relays) => simulate(today * factor, relays))
})
console.log(
  table(
    [
      'messages/s',
      'web processes',
      'workers',
      'database cores',
      'relays',
      'relays busy',
      'placed after p50 / p99',
      'delivered after p50 / p99',
    ],
    rows,
  ),
)
console.log(`one relay places at most ${Math.round(relayRate())} events a second`)
