// npm run bench -- --web: the budgets of the web client, measured in a real browser on a large workspace.
import { cpuBetween, describeMachine, readCpu } from './machine/accounting.mjs'
import { table } from './report/print.mjs'
import { percentile } from './stage.mjs'
import { openBench } from './web/open.mjs'
import { newContext, openPage, painted } from './web/pages.mjs'
import { memoryOf, openChat, prepend, scroll, search } from './web/reading.mjs'
import { coldStart, slowStart, warmStarts } from './web/starting.mjs'
import { flood, sayOnce } from './web/talking.mjs'

const CHATS_IN_MEMORY = 20

/** What is measured, in the unit of its limit. `share` is the percentile that has to keep within the limit. */
const BUDGETS = [
  ['cold_cpu', 'cold start to painted messages, CPU', 350, 'ms'],
  ['cold_wall', 'cold start to painted messages', 1000, 'ms'],
  ['slow_wall', 'the same at 4 × CPU, 1.6 Mbit/s, 150 ms', 3000, 'ms'],
  ['warm_wall', 'warm start from the copy of the device', 300, 'ms'],
  ['open_known_cpu', 'open a chat that is in memory, CPU', 60, 'ms'],
  ['open_known_wall', 'open a chat that is in memory', null, 'ms'],
  ['open_new_wall', 'open a chat that is not in memory', 200, 'ms'],
  ['scroll_cpu', 'scroll at 1 200 px/s, CPU a frame', 5, 'ms'],
  ['scroll_late', 'scroll at 1 200 px/s, frames over 33 ms', 3, '%'],
  ['fling_blank', 'fling at 5 000 px/s, empty views', 0, '%'],
  ['prepend', 'row under the eye when older messages come', 1, 'px'],
  ['flood_cpu', '50 messages/s, CPU a message', 8, 'ms'],
  ['flood_key', '50 messages/s, key to paint', 50, 'ms', 0.95],
  ['flood_bottom', '50 messages/s, distance from the bottom', 60, 'px'],
  ['echo', 'Enter to the own message on the screen', null, 'ms'],
  ['heard', 'browser to browser, median', 60, 'ms'],
  ['heard', 'browser to browser, p95', 150, 'ms', 0.95],
  ['search', 'search, Enter to results', null, 'ms'],
  ['heap', `heap after ${CHATS_IN_MEMORY} chats and 50 000 messages`, 60, 'MB', 1],
  ['nodes', 'nodes of the document', 6000, '', 1],
]

async function measureRound(space, add) {
  const cold = await coldStart(space)
  add('cold_cpu', cold.cpu_ms)
  add('cold_wall', cold.wall_ms)
  add('slow_wall', await slowStart(space))
  for (const ms of await warmStarts(space, 2)) add('warm_wall', ms)

  const { browser, url, reader, writer, big, others } = space
  const context = await newContext(browser, url, reader)
  const tab = await openPage(context)
  await tab.page.goto(`${url}/chats/${big}`)
  await painted(tab)
  for (const chat of others.slice(0, CHATS_IN_MEMORY - 1))
    add('open_new_wall', (await openChat(tab, chat)).wall_ms)
  for (const chat of others.slice(0, 8)) {
    const { cpu_ms, wall_ms } = await openChat(tab, chat)
    add('open_known_cpu', cpu_ms)
    add('open_known_wall', wall_ms)
  }
  await openChat(tab, big)
  const slow = await scroll(tab, 1200, 4)
  add('scroll_cpu', slow.cpu_per_frame)
  add('scroll_late', slow.late_percent)
  add('fling_blank', (await scroll(tab, 5000, 3, { lookForBlank: true })).blank_percent)
  for (let n = 0; n < 3; n += 1) add('prepend', await prepend(tab))
  const { heap_mb, nodes } = await memoryOf(tab)
  add('heap', heap_mb)
  add('nodes', nodes)

  const place = others[0]
  await openChat(tab, place)
  const other = await newContext(browser, url, writer)
  const from = await openPage(other)
  await from.page.goto(`${url}/chats/${place}`)
  await painted(from)
  // The first message waits until the page that was just opened has its stream and its outbox.
  await sayOnce(from, tab, `Spoken first ${Date.now()}`)
  for (let n = 0; n < 20; n += 1) {
    const { echo_ms, heard_ms } = await sayOnce(from, tab, `Spoken ${Date.now()} ${n}`)
    add('echo', echo_ms)
    add('heard', heard_ms)
  }
  await other.close()
  const many = await flood(tab, { url, writer, chat: place, per_second: 50, seconds: 6 })
  add('flood_cpu', many.cpu_per_message)
  for (const ms of many.delays) add('flood_key', ms)
  add('flood_bottom', many.from_bottom)
  for (const words of ['deploy', 'договор', 'review budget']) add('search', await search(tab, url, words))
  await context.close()
}

function rowOf(values, [name, label, limit, unit, share = 0.5]) {
  const all = values.get(name) ?? []
  const show = (value) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`.trim()
  const judged = percentile(all, share)
  const held = limit === null ? null : judged <= limit
  return { label, p50: percentile(all, 0.5), p95: percentile(all, 0.95), limit, held, unit, show, share }
}

/** Measures every budget in turn, some rounds of them. */
export async function web(options, say) {
  const rounds = options.quick ? 1 : 3
  const space = await openBench(say)
  try {
    // Code that has not run yet is not compiled yet.
    await coldStart(space)
    const values = new Map()
    const add = (name, value) => values.set(name, [...(values.get(name) ?? []), value])
    const before = readCpu()
    for (let round = 1; round <= rounds; round += 1) {
      await measureRound(space, add)
      say(`round ${round} of ${rounds} is done`)
    }
    const { foreign } = cpuBetween(before, readCpu())
    const rows = BUDGETS.map((budget) => rowOf(values, budget))
    const figures = {
      machine: describeMachine(),
      foreign,
      budgets: rows.map(({ label, p50, p95, limit, held, unit }) => ({ label, p50, p95, limit, held, unit })),
    }
    const text = [
      describeMachine(),
      `npm run bench -- --web: ${rounds} rounds; others used ${Math.round(foreign * 100)} % of a core.`,
      '',
      table(
        ['budget', 'p50', 'p95', 'limit', 'held'],
        rows.map(({ label, p50, p95, limit, held, show, share, unit }) => [
          label,
          show(p50),
          show(p95),
          limit === null
            ? '–'
            : `${limit} ${unit}${share === 0.5 ? '' : share === 1 ? ' at most' : ' at p95'}`.replace(
                '  ',
                ' ',
              ),
          held === null ? '–' : held ? 'yes' : 'NO',
        ]),
      ),
    ].join('\n')
    return { figures, text }
  } finally {
    await space.close()
  }
}
