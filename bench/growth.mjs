// What the same request costs as the past grows: part of npm run bench, and with more sizes of npm run bench -- --growth.
import { describeMachine } from './machine/accounting.mjs'
import { interleave } from './machine/rounds.mjs'
import { table } from './report/print.mjs'
import { fillHistory } from './stage/history.mjs'
import { chatLists, deepPages, latestPages, posts, searches, unreadLists } from './stage/requests.mjs'
import { furnish, openWorkspace, rested, settle } from './workspace.mjs'

const SIZES = [10_000, 1_000_000, 10_000_000]
const MINUTE = 60_000
/** The smallest past has nine messages a chat: the page must be the same for all. */
const PAGE = 8

/** Few connections: this is about the cost of one, not about how many fit. */
async function contenders(space, times) {
  const { stage, server, load, named } = space
  const http = (requests) =>
    load.run({ kind: 'http', target: server.target, requests, connections: 8, ...times }, named)
  const sent = async (requests) => {
    const slice = await http(requests)
    await settle(space)
    return slice
  }
  const deep = await deepPages(stage, server.url)
  const withBot = posts(stage, ({ rooms }) => rooms.filter((room) => stage.withBot.has(room)))
  const plain = posts(stage, ({ rooms }) => rooms.filter((room) => !stage.withBot.has(room)))
  const all = [
    ['send', () => sent(plain)],
    ['latest page', () => http(latestPages(stage, PAGE))],
    ['deep page', () => http(deep)],
    ['chat list', () => http(chatLists(stage))],
    ['unread counts', () => http(unreadLists(stage))],
    ['send to a bot, event and delivery with it', () => sent(withBot)],
    ['search', () => rested(() => http(searches(stage)))],
  ]
  return all.map(([name, run]) => ({ name, run }))
}

const cost = ({ cpu_us }) => cpu_us.server + cpu_us.database

/** A table of the figures by size. */
export function growthTable(figures, sizes) {
  const names = Object.keys(figures[sizes[0]])
  const rows = names.map((name) => {
    const cells = sizes.map((size) => {
      const entry = figures[size][name]
      if (entry.count === 0) return `refused (${Object.keys(entry.failures)})`
      return `${Math.round(entry.cpu_us.server)} + ${Math.round(entry.cpu_us.database)} µs, p50 ${entry.p50_ms.toFixed(1)} ms`
    })
    const [first, last] = [figures[sizes[0]][name], figures[sizes.at(-1)][name]]
    const times = first.count && last.count ? (cost(last) / cost(first)).toFixed(2) : '–'
    const steps = sizes.slice(1).map((size, n) => cost(figures[size][name]) / cost(figures[sizes[n]][name]))
    const bend = sizes[1 + steps.indexOf(Math.max(...steps))]
    return [name, ...cells, `${times} ×`, Number(times) > 1.2 ? `by ${bend.toLocaleString('en')}` : '–']
  })
  return table(
    [
      'server + database CPU',
      ...sizes.map((size) => `${size.toLocaleString('en')} messages`),
      'growth',
      'bends',
    ],
    rows,
  )
}

/** What each request costs with the past that there is now. */
export async function measureGrowth(space, { times, rounds, until, say }) {
  return interleave(await contenders(space, times), { rounds, until, say })
}

export async function growth(options, say) {
  const sizes = options.sizes ? options.sizes.split(',').map(Number) : SIZES
  const rounds = options.quick ? 1 : 3
  const times = { measure_ms: options.quick ? 1500 : 3000 }
  const space = await openWorkspace()
  const figures = {}
  try {
    await furnish(space)
    let have = 0
    for (const want of sizes) {
      await fillHistory(space.db, space.stage, { have, want, say })
      // One round is not enough to warm up a server that has just begun; the first size shall not pay for that.
      if (have === 0) await measureGrowth(space, { times, rounds: 1, until: Infinity, say })
      have = want
      const until = performance.now() + 3 * MINUTE
      figures[want] = await measureGrowth(space, { times, rounds, until, say })
    }
  } finally {
    await space.close()
  }
  const machine = describeMachine()
  return { figures: { machine, sizes, ...figures }, text: `${machine}\n\n${growthTable(figures, sizes)}` }
}
