// Opening chats, scrolling, and what stays in memory.
import { cpuOf, metricsOf } from './pages.mjs'

const LOG = '[role=log]'

/** Follows a link to a chat from inside the page, as the list draws only what is in view; milliseconds until its messages are painted. */
const OPEN = `(id) => new Promise((resolve) => {
  const from = performance.now()
  const before = document.querySelector('${LOG} [data-message]')?.dataset.message
  const link = document.body.appendChild(document.createElement('a'))
  link.href = '/chats/' + id
  link.click()
  link.remove()
  const look = () => {
    const first = document.querySelector('${LOG} [data-message]')?.dataset.message
    if (first !== undefined && first !== before && location.pathname === '/chats/' + id)
      setTimeout(() => resolve(performance.now() - from))
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})`

export async function openChat(tab, id) {
  const { cpu_ms, result } = await cpuOf(tab, () => tab.page.evaluate(`(${OPEN})(${id})`))
  return { cpu_ms, wall_ms: result }
}

/**
 * Scrolls up at a speed, each frame as far as at 60 frames a second: by the clock, a busy machine would move further in each of
 * fewer frames, and a frame would seem to cost more. Says of each frame how long it was, and if asked whether the view was
 * empty: looking costs time itself.
 */
const SCROLL = `async (pixelsPerSecond, seconds, lookForBlank) => {
  const box = document.querySelector('${LOG}')
  const frames = []
  let blank = 0
  let last = performance.now()
  while (frames.length < seconds * 60) {
    const now = await new Promise(requestAnimationFrame)
    const took = now - last
    if (took <= 0) continue
    frames.push(took)
    last = now
    box.scrollTop -= pixelsPerSecond / 60
    if (!lookForBlank) continue
    const { top, height } = box.getBoundingClientRect()
    const rows = [...box.querySelectorAll('[data-message]')].map((row) => row.getBoundingClientRect())
    if (!rows.some((row) => row.top < top + height && row.bottom > top)) blank += 1
  }
  return { frames, blank }
}`

export async function scroll(tab, pixelsPerSecond, seconds, { lookForBlank = false } = {}) {
  const { cpu_ms, result } = await cpuOf(tab, () =>
    tab.page.evaluate(`(${SCROLL})(${pixelsPerSecond}, ${seconds}, ${lookForBlank})`),
  )
  const { frames, blank } = result
  return {
    cpu_per_frame: cpu_ms / frames.length,
    late_percent: (100 * frames.filter((ms) => ms > 33.4).length) / frames.length,
    blank_percent: (100 * blank) / frames.length,
  }
}

/** The place of a row below the edge of the view, once sizes are measured. */
const NOTE_ROW = `async () => {
  const box = document.querySelector('${LOG}')
  box.scrollTop = 500
  for (let wait = 0; wait < 10; wait += 1) await new Promise(requestAnimationFrame)
  const edge = box.getBoundingClientRect().top
  const row = [...box.querySelectorAll('[data-message]')].find((one) => one.getBoundingClientRect().top > edge + 100)
  return { id: row.dataset.message, top: row.getBoundingClientRect().top, scrolled: box.scrollTop }
}`

/** How far the row has moved when what comes on top has changed the place of the scroll bar. */
const MOVED = `async ({ id, top, scrolled }) => {
  const box = document.querySelector('${LOG}')
  while (Math.abs(box.scrollTop - scrolled) < 200) await new Promise(requestAnimationFrame)
  for (let wait = 0; wait < 10; wait += 1) await new Promise(requestAnimationFrame)
  const row = box.querySelector('[data-message="' + id + '"]')
  return row ? Math.abs(row.getBoundingClientRect().top - top) : null
}`

/** How far a row moves under the eye while older messages come on top, in pixels. */
export async function prepend({ page }) {
  let release
  const held = new Promise((resolve) => {
    release = resolve
  })
  await page.route('**/timeline?*', async (route) => {
    await held
    await route.continue()
  })
  const row = await page.evaluate(`(${NOTE_ROW})()`)
  release()
  const moved = await page.evaluate(`(${MOVED})(${JSON.stringify(row)})`)
  await page.unroute('**/timeline?*')
  return moved ?? Number.POSITIVE_INFINITY
}

export async function memoryOf(tab) {
  await tab.page.evaluate('gc()')
  const { heap, nodes } = await metricsOf(tab)
  return { heap_mb: heap / 1024 / 1024, nodes }
}

/** From Enter in the search field to painted results. */
const FOUND = `new Promise((resolve) => {
  const from = performance.now()
  const look = () => document.querySelector('.search-hits li')
    ? setTimeout(() => resolve(performance.now() - from)) : requestAnimationFrame(look)
  requestAnimationFrame(look)
})`

export async function search(tab, url, words) {
  await tab.page.goto(`${url}/search`)
  await tab.page.getByRole('searchbox').fill(words)
  const found = tab.page.evaluate(FOUND)
  await tab.page.getByRole('searchbox').press('Enter')
  return found
}
