// A real browser on the seeded workspace, and what is read from its pages.
import { launchBrowser } from '../../web/testing/launch.mjs'

const WIDE = { width: 1440, height: 900 }

/** Notes in the page when the first messages have been painted: after the frame in which they came into the document, where they are measured. */
const NOTE_PAINT = `(() => {
  let drawn = false
  const frame = () => {
    setTimeout(() => { if (drawn) window.paintedAt ??= performance.now() })
    if (!drawn) requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
  const watch = new MutationObserver(() => {
    drawn = document.querySelector('[role=log] [data-message]') !== null
    if (drawn) watch.disconnect()
  })
  watch.observe(document, { childList: true, subtree: true })
})()`

export function launch() {
  return launchBrowser({ args: ['--js-flags=--expose-gc', '--enable-precise-memory-info'] })
}

/** A browser of its own for a person: nothing is in its caches. */
export async function newContext(browser, url, { token }) {
  const context = await browser.newContext({ locale: 'en-GB', viewport: WIDE })
  await context.addCookies([{ name: 'parley_session', value: token, url, httpOnly: true, sameSite: 'Lax' }])
  await context.addInitScript(NOTE_PAINT)
  return context
}

export async function openPage(context) {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  // Processor time, not the time that tasks took on a busy machine.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  return { page, devtools }
}

/** Milliseconds that the main thread has worked, heap in bytes, and nodes. */
export async function metricsOf({ devtools }) {
  const { metrics } = await devtools.send('Performance.getMetrics')
  const at = (name) => metrics.find((metric) => metric.name === name).value
  return { cpu_ms: at('TaskDuration') * 1000, heap: at('JSHeapUsedSize'), nodes: at('Nodes') }
}

/** Waits for the first painted messages; milliseconds since the navigation began. */
export async function painted({ page }) {
  await page.waitForFunction(() => window.paintedAt !== undefined)
  return page.evaluate('window.paintedAt')
}

/** Runs `work` and gives the processor time of the main thread that it took, until the page is idle. */
export async function cpuOf(tab, work) {
  const before = await metricsOf(tab)
  const result = await work()
  await tab.page.evaluate('new Promise((done) => requestIdleCallback(done))')
  const after = await metricsOf(tab)
  return { cpu_ms: after.cpu_ms - before.cpu_ms, result }
}
