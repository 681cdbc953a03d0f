// npm run bench -- --soak [--minutes 10]: a browser that looks on while five things a second happen, and what it keeps of them.

import { table } from './report/print.mjs'
import { openBench } from './web/open.mjs'
import { newContext, openPage, painted } from './web/pages.mjs'
import { memoryOf } from './web/reading.mjs'
import { call } from './web/talking.mjs'

const PER_SECOND = 5
const HEAP_MB = 60
const NODES = 6000
/** Growth after the first minutes, while caches fill. */
const GROWTH = 1.1
const CHATS = 30

/** Messages in many chats, every third in the one that is open, and reactions to them. */
async function happen({ url, writer, big, others }, n) {
  const chat = n % 3 === 0 ? big : others[n % CHATS]
  const content = `Message ${n} of the soak, with **bold** words and a https://example.org/${n}`
  const { data } = await call(url, writer.token, 'POST', '/messages', {
    message: { entity_id: chat, content },
  })
  if (n % 5 === 0) await call(url, writer.token, 'POST', `/messages/${data.id}/reactions`, { code: '👍' })
}

export async function soak(options, say) {
  const minutes = Number(options.minutes ?? 10)
  const space = await openBench(say)
  try {
    const context = await newContext(space.browser, space.url, space.reader)
    const tab = await openPage(context)
    await tab.page.goto(`${space.url}/chats/${space.big}`)
    await painted(tab)
    const samples = []
    const began = performance.now()
    let done = 0
    for (let minute = 1; minute <= minutes; minute += 1) {
      for (; performance.now() - began < minute * 60_000; done += 1) {
        const wait = began + (done * 1000) / PER_SECOND - performance.now()
        if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
        await happen(space, done)
      }
      samples.push({ minute, done, ...(await memoryOf(tab)) })
      say(`minute ${minute}: ${samples.at(-1).heap_mb.toFixed(1)} MB, ${samples.at(-1).nodes} nodes`)
    }
    const settled = samples[Math.min(2, samples.length - 1)]
    const last = samples.at(-1)
    const held =
      last.heap_mb <= HEAP_MB && last.nodes <= NODES && last.heap_mb <= settled.heap_mb * GROWTH + 1
    const rows = samples.map(({ minute, done, heap_mb, nodes }) => [minute, done, heap_mb.toFixed(1), nodes])
    const text = `${table(['minute', 'events', 'heap MB', 'nodes'], rows)}\n\nAt most ${HEAP_MB} MB, ${NODES} nodes, and 10 % above minute ${settled.minute}: ${held ? 'held' : 'NOT held'}`
    return { figures: { samples, held }, text }
  } finally {
    await space.close()
  }
}
