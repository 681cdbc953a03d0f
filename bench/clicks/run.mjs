// People click, type and go back and forth at random in the client. No page may throw or break, and no request may be
// answered with a server error.
import { launchBrowser } from '../../web/testing/launch.mjs'
import { createCalls } from '../mix/call.mjs'
import { openCast } from '../mix/cast.mjs'
import { chooseDeed } from '../mix/deeds/index.mjs'
import { furnish } from '../mix/furnish.mjs'
import { createKnown } from '../mix/known.mjs'
import { openSandbox } from '../mix/sandbox.mjs'
import { randomFrom } from '../stage/words.mjs'
import { openReceivers } from '../torture/receivers.mjs'
import { newContext } from '../web/pages.mjs'
import { act } from './acts.mjs'
import { SCREENS } from './screens.mjs'

const FURNISHED_MS = 4_000
const WIDE = { width: 1440, height: 900 }
const NARROW = { width: 400, height: 900 }
const ACTION_MS = 1_500
/** What is told of a fault: what was done before it. */
const ACTS_TOLD = 8
const BROKEN =
  /This page failed|This part of the page failed|Эта страница сломалась|Эта часть страницы сломалась/
/** Whoever is suspended by a click elsewhere is let in again. */
const SIGNED_OUT = /Sign in to Parley|Вход в Parley/

/** Something of everything, so that there is something to click. */
async function fill(stage, people) {
  const actors = [...people, ...stage.bots]
  for (const until = performance.now() + FURNISHED_MS; performance.now() < until; )
    await chooseDeed(stage.known.random)(stage, stage.known.one(actors))
  const [owner, ...others] = people
  for (const { id } of others) await stage.call(owner, 'PUT', `/users/${id}`, { user: { suspended: false } })
}

async function openTab(browser, { url, person, viewport, faults }) {
  const context = await newContext(browser, url, person.session)
  const page = await context.newPage()
  await page.setViewportSize(viewport)
  page.setDefaultTimeout(ACTION_MS)
  const acts = []
  const fault = (text) =>
    faults.add(
      `${person.role} at ${page.url().replace(url, '')}: ${text} after ${acts.slice(-ACTS_TOLD).join(', ')}`,
    )
  page.on('pageerror', (error) => fault(`the page threw ${error.stack ?? error}`))
  page.on('popup', (opened) => void opened.close().catch(() => {}))
  page.on('response', (answer) => {
    const { pathname } = new URL(answer.url())
    if (answer.status() >= 500)
      fault(`${answer.request().method()} ${pathname} was answered ${answer.status()}`)
  })
  const go = (path) => page.goto(`${url}${path}`).catch(() => {})
  return { page, acts, go, fault, context, person }
}

async function lookAt({ page, go, fault, context, person }, { cast, url, known }) {
  const text = await page.evaluate('document.body?.innerText ?? ""').catch(() => '')
  if (BROKEN.test(text)) fault('the page broke')
  if (SIGNED_OUT.test(text)) {
    const { session } = await cast.withSession(person)
    await context.addCookies([
      { name: 'parley_session', value: session.token, url, httpOnly: true, sameSite: 'Lax' },
    ])
  }
  if (BROKEN.test(text) || SIGNED_OUT.test(text)) await go(known.one(SCREENS))
}

/** `faults` is empty when nothing broke. */
export async function clicks({ seed, seconds, say = () => {} }) {
  const known = createKnown(randomFrom(seed))
  const receiver = await openReceivers(randomFrom(seed + 1), { faults: 1 })
  const sandbox = await openSandbox()
  const calls = createCalls(sandbox.base_url)
  const url = new URL(sandbox.base_url).origin
  const faults = new Set()
  let done = 0
  let browser
  try {
    const cast = await openCast(sandbox, { calls, known, receiver })
    const { base_url, pool } = sandbox
    const stage = {
      call: calls.call,
      known,
      cast,
      bots: cast.bots,
      base_url,
      pool,
      clock: { now: new Date() },
    }
    stage.scim = await furnish(stage, sandbox)
    await fill(stage, cast.people)
    browser = await launchBrowser()
    const [owner, , user] = cast.people
    const guest = cast.people.at(-1)
    const places = [
      { person: owner, viewport: WIDE },
      { person: user, viewport: WIDE },
      { person: guest, viewport: NARROW },
      { person: owner, viewport: NARROW },
    ]
    const until = performance.now() + seconds * 1000
    const work = async (place) => {
      const tab = await openTab(browser, { url, faults, ...place })
      await tab.go(known.one(SCREENS))
      for (; performance.now() < until; done += 1) {
        await act(tab, known)
        await lookAt(tab, { cast, url, known })
      }
    }
    await Promise.all(places.map(work))
    for (const fault of faults) say(`  ${fault}`)
    return { seed, seconds, acts: done, faults: [...faults, ...calls.faults] }
  } finally {
    await browser?.close()
    await sandbox.close()
    receiver.close()
  }
}
