// npm run bench -- --people: how many people two cores carry, each with a stream open, reading, writing, searching and uploading.
import { describeMachine } from './machine/accounting.mjs'
import { startChild } from './machine/processes.mjs'
import { table } from './report/print.mjs'
import { fillHistory } from './stage/history.mjs'
import * as asked from './stage/requests.mjs'
import { furnish, openWorkspace, settle } from './workspace.mjs'

/** People of the workspace, and messages that are in it before. */
const SIZES = { full: { people: 6000, messages: 2_000_000 }, quick: { people: 3000, messages: 100_000 } }
/** The busiest second of a day in which each person writes forty messages: ten times the mean of eight hours. */
const WRITES_A_SECOND = (40 / 28_800) * 10
/** What a person asks for each message that they write: fifty reads, and a file with every tenth message. */
const KINDS = {
  'POST /messages': [1, (stage) => asked.posts(stage)],
  'POST /uploads': [0.1, asked.uploadForms],
  'upload of 50 kB': [0.1, asked.uploads],
  'GET /chats/{id}/timeline': [14, asked.timelines],
  'GET /messages': [7, (stage) => asked.latestPages(stage)],
  'GET /messages, deep page': [3, (stage, url) => asked.deepPages(stage, url)],
  'GET /chats/{id}': [8, asked.singleChats],
  'GET /unread': [6, asked.unreadLists],
  'GET /profile': [4, asked.profiles],
  'GET /chats': [3, asked.chatLists],
  'GET /users': [2, asked.userLists],
  'GET /search/messages': [2, asked.searches],
  'GET /start': [1, asked.starts],
}
const SHARES = Object.values(KINDS).reduce((sum, [share]) => sum + share, 0)
const P99_MS = 200
/** The first number of people, and how it grows until it is too many; then the gap is halved so often. */
const [FIRST, GROWTH, HALVINGS] = [400, 1.5, 2]

const round = (people) => Math.round(people / 50) * 50
const ms = (value) => (value === null ? '–' : Math.round(value))

/** Whether nothing failed and everything came in time. */
function isCarried({ failed, p99_ms, per_second, rate, heard }) {
  return failed === 0 && heard.lost === 0 && p99_ms <= P99_MS && per_second >= 0.95 * rate
}

async function openCrowd({ server, stage }) {
  const child = startChild('../load/streams.mjs')
  let listening = 0
  const ask = async (message) => {
    const answer = await child.ask(message)
    if (answer.error) throw new Error(answer.error)
    return answer
  }
  return {
    stop: child.stop,
    heard: () => ask({}),
    /** Streams stay open, so that fewer people than before listen no less. */
    async grow(people) {
      const tokens = stage.writers.slice(listening, people).map(({ session }) => session)
      listening = Math.max(listening, people)
      await ask({ target: server.target, tokens })
    },
  }
}

async function carry(space, crowd, kinds, people, times) {
  await crowd.grow(people)
  const rate = people * WRITES_A_SECOND * SHARES
  const { load, named, server } = space
  await crowd.heard()
  const slice = await load.run({ kind: 'mix', target: server.target, kinds, rate, ...times }, named)
  const heard = await crowd.heard()
  await settle(space)
  return { people, rate, heard, ...slice }
}

/** Grows the number until it is too many, then narrows it down. */
async function search(run, most) {
  const slices = []
  const tried = async (people) => {
    const slice = await run(people)
    slices.push(slice)
    return isCarried(slice)
  }
  let [low, high] = [0, FIRST]
  while (high <= most && (await tried(high))) [low, high] = [high, round(high * GROWTH)]
  for (let n = 0; n < HALVINGS && high <= most && high - low > 50; n += 1) {
    const middle = round((low + high) / 2)
    if (await tried(middle)) low = middle
    else high = middle
  }
  return { carried: low, slices }
}

/** Milliseconds of CPU time that one person costs a second, server and database together. */
function costOf({ parts, wall_us, per_second, rate, people }) {
  return ((parts.server + parts.database) / wall_us / ((people * per_second) / rate)) * 1000
}

function report({ machine, carried, slices, messages }) {
  const rows = slices.map((slice) => [
    slice.people,
    Math.round(slice.rate),
    Math.round(slice.per_second),
    ms(slice.p50_ms),
    ms(slice.p99_ms),
    slice.failed,
    `${ms(slice.heard.p50_ms)} / ${ms(slice.heard.p99_ms)}`,
    ((slice.parts.server / slice.wall_us) * 100).toFixed(0),
    ((slice.parts.database / slice.wall_us) * 100).toFixed(0),
    Math.round(slice.foreign * 100),
    costOf(slice).toFixed(1),
    isCarried(slice) ? 'yes' : 'NO',
  ])
  const heads = [
    'people',
    'asked /s',
    'answered /s',
    'p50 ms',
    'p99 ms',
    'failed',
    'heard p50 / p99 ms',
    'Node %',
    'database %',
    'others %',
    'CPU ms/s a person',
    'carried',
  ]
  const last = slices.findLast((slice) => slice.people === carried) ?? slices[0]
  const kinds = Object.entries(last.kinds).map(([name, entry]) => [
    name,
    entry.count,
    ms(entry.p50_ms),
    ms(entry.p99_ms),
  ])
  return [
    `${machine}, ${messages} messages`,
    table(heads, rows),
    table([`with ${last.people} people`, 'answered', 'p50 ms', 'p99 ms'], kinds),
    `${carried} people are carried: p99 ≤ ${P99_MS} ms, nothing failed.`,
  ].join('\n\n')
}

export async function people(options, say) {
  const size = SIZES[options.quick ? 'quick' : 'full']
  const messages = Number(options.messages ?? size.messages)
  const times = { warm_ms: 2000, measure_ms: options.quick ? 4000 : 10_000 }
  const space = await openWorkspace()
  let crowd
  try {
    await furnish(space, { people: size.people })
    await fillHistory(space.db, space.stage, { have: 0, want: messages, say })
    crowd = await openCrowd(space)
    const kinds = []
    for (const [name, [share, requestsOf]] of Object.entries(KINDS))
      kinds.push({ name, share, requests: await requestsOf(space.stage, space.server.url) })
    await carry(space, crowd, kinds, FIRST, times)
    const run = async (count) => {
      const slice = await carry(space, crowd, kinds, count, times)
      say(`${count} people: p99 ${ms(slice.p99_ms)} ms, ${slice.failed} failed`)
      return slice
    }
    const found = await search(run, size.people)
    const figures = { machine: describeMachine(), messages, ...found }
    return { figures, text: report(figures) }
  } finally {
    await crowd?.stop()
    await space.close()
  }
}
