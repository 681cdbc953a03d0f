// Browser tabs in which people keep a screen open while others act. Once all is quiet, each must show what a tab shows that is
// opened then.
import { setTimeout as wait } from 'node:timers/promises'
import { launchBrowser } from '../../web/testing/launch.mjs'
import { newContext } from '../web/pages.mjs'

/** So that long lists are drawn whole. */
const TALL = { width: 1500, height: 5000 }
const LOADED_WITHIN_MS = 15_000
/** Lists that no event tells of are read again after half a minute. */
const AGREED_WITHIN_MS = 35_000
const READ_EVERY_MS = 500

const PANELS = ['about', 'members', 'pins', 'files']
const SCREENS = ['/', '/threads', '/unread', '/tasks', '/later', '/people', '/browse', '/notices', '/bots']
const SETTINGS = ['profile', 'notifications', 'look', 'tokens', 'apps', 'approvals']
/** Those of which events tell. */
const ADMIN = ['people', 'tags', 'fields', 'chats', 'limits']

function chooseScreen(known, { role }) {
  const screens = [
    `/chats/${known.pick('chat')}`,
    `/chats/${known.pick('chat')}`,
    `/chats/${known.pick('chat')}?panel=${known.one(PANELS)}`,
    `/chats/${known.pick('thread chat')}`,
    `/people/${known.pick('user')}`,
    `/settings/${known.one(SETTINGS)}`,
    known.one(SCREENS),
    known.one(SCREENS),
    ...(role === 'owner' ? [`/admin/${known.one(ADMIN)}`, `/bots/${known.pick('bot')}/settings`] : []),
  ]
  return known.one(screens.filter((path) => !path.includes('undefined')))
}

/** What may differ: where the reader was when messages came, when something was used, and the time by the clock of the browser. */
const APART =
  /^([Nn]ew|Jump to latest|.*local time.*|Loading.*|\d+ new messages?|.* · (last used .*|never used) · .*)$/
/** Whoever was in a chat before is told that they are not any more. */
const CLOSED = /This chat does not exist|You no longer have access to this chat/
/** Whoever was suspended meanwhile is not signed in by being let back in. */
const SIGNED_OUT = /Your session has ended/

async function linesOf(page) {
  const text = await page.evaluate('document.body.innerText')
  if (CLOSED.test(text)) return ['closed']
  if (SIGNED_OUT.test(text)) return undefined
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !APART.test(line))
}

/** What is in one and not in the other, each as often as it is. */
function without(lines, others) {
  const left = [...others]
  return lines.filter((line) => {
    const at = left.indexOf(line)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

const IS_LOADED =
  "document.querySelector('main') !== null && document.querySelector('[role=status] .spinner') === null"

async function openTab(browser, { url, session, path }) {
  const errors = []
  const context = await newContext(browser, url, session)
  const page = await context.newPage()
  await page.setViewportSize(TALL)
  page.on('pageerror', (error) => errors.push(`a tab at ${path} threw ${error.stack ?? error}`))
  await page.goto(`${url}${path}`, { waitUntil: 'load' })
  for (const until = performance.now() + LOADED_WITHIN_MS; performance.now() < until; await wait(50))
    if (await page.evaluate(IS_LOADED)) break
  return { page, errors, close: () => context.close() }
}

/** Undefined once both show the same. */
async function findDifference(tab, fresh) {
  for (const until = performance.now() + AGREED_WITHIN_MS; ; await wait(READ_EVERY_MS)) {
    const [seen, anew] = [await linesOf(tab.page), await linesOf(fresh.page)]
    if (!seen) return undefined
    const [more, less] = [without(seen, anew), without(anew, seen)]
    if (more.length + less.length === 0) return undefined
    if (performance.now() > until) return `${JSON.stringify(more)} for ${JSON.stringify(less)}`.slice(0, 1000)
  }
}

export async function openTabs({ base_url, known }, people) {
  const url = new URL(base_url).origin
  const browser = await launchBrowser()
  let open = []
  return {
    /** Each on a screen of their own, before anybody acts. */
    async open() {
      const places = people.map((one) => ({ ...one, url, path: chooseScreen(known, one) }))
      open = await Promise.all(places.map(async (place) => ({ place, tab: await openTab(browser, place) })))
    },
    async compare() {
      const found = []
      for (const { place, tab } of open) {
        const fresh = await openTab(browser, place)
        const differing = await findDifference(tab, fresh)
        const { id, role, path } = place
        if (differing) found.push(`the tab of ${id} (${role}) at ${path} shows ${differing}`)
        found.push(...tab.errors, ...fresh.errors)
        await fresh.close()
      }
      return found
    },
    async closeAll() {
      for (const { tab } of open.splice(0)) await tab.close()
    },
    close: () => browser.close(),
  }
}
