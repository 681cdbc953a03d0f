import assert from 'node:assert/strict'
import type { Page } from './browser.js'
import { createScene, type Scene } from './scene.js'
import type { Line } from './server.js'

/** Up to three tabs in which people write, what befalls them, and what must hold whatever does. */

export const ALICE = 9
export const BOB = 8
export const TABS = 3
const HOUR_MS = 3_600_000

export type Step =
  | ['write', tab: number, chat: number]
  | ['record', tab: number]
  | ['line', Line]
  | ['pass', ms: number]
  | ['sleep', hours: number]
  | ['open' | 'close' | 'reload' | 'kill' | 'freeze' | 'thaw' | 'retry' | 'discard' | 'sign out', tab: number]
  | ['sign in', tab: number, user: number]
  | ['session ends' | 'cut' | 'events forgotten' | 'disk full' | 'disk free']

interface Text {
  content: string
  user_id: number
  chat_id: number
  page: Page
  key: string
  voice: boolean
  /** Given up by the person, or written when the page or the device could not keep it. */
  mayBeLost: boolean
  /** Refused or retried: its place in the order is its own. */
  late: boolean
}

export interface World extends Scene {
  tabs: (Page | undefined)[]
  texts: Text[]
  /** Signing out clears what is written while it is on its way, too. */
  leaving: boolean
}

export function createWorld(seed: number): World {
  const scene = createScene(seed, ALICE)
  return { ...scene, tabs: [scene.browser.open()], texts: [], leaving: false }
}

const contentOf = (entry: { input: unknown }) =>
  (entry.input as { body: { message: { content: string } } }).body.message.content

const copiesOf = ({ server }: World, { content }: Text) =>
  server.stored.filter(({ message }) => message.content === content).length
const isStored = ({ server }: World, { content }: Text) =>
  server.stored.some(({ message }) => message.content === content)
const isKept = ({ browser: { storage } }: World, { key }: Text) =>
  storage.stores.get('outbox')?.has(key) || `parley-write:outbox:${key}` in storage.items

export function write({ tabs, texts, leaving }: World, index: number, chat_id: number, voice: boolean) {
  const page = tabs[index]
  const { phase, state, sendMessage, outbox } = page?.client ?? {}
  if (page?.life !== 'alive' || phase?.value !== 'ready' || !sendMessage) return
  const content = `text ${texts.length + 1}`
  const files = [{ key: '', name: 'voice.ogg', file_type: 'voice' as const, size: 3 }]
  const file = voice ? new File(['abc'], 'voice.ogg', { type: 'audio/ogg' }) : undefined
  const place = { entity_type: 'discussion', entity_id: chat_id } as const
  void sendMessage(place, { content, ...(voice ? { files } : {}) }, file)
  const key = outbox?.value.find((entry) => contentOf(entry) === content)?.key ?? ''
  const user_id = state?.session.value?.user.id ?? 0
  texts.push({ content, user_id, chat_id, page, key, voice, mayBeLost: leaving, late: false })
}

/** What the page alone holds goes with it. */
function lose(world: World, page: Page, keptByLeaving: boolean) {
  for (const text of world.texts) {
    if (text.page !== page || isStored(world, text) || isKept(world, text)) continue
    if (!keptByLeaving || text.voice) text.mayBeLost = true
  }
}

function onFailed({ tabs, texts }: World, index: number, act: 'retry' | 'discard') {
  const page = tabs[index]
  const entry = page?.client.outbox.value.find(({ state }) => state === 'failed')
  if (page?.life !== 'alive' || !entry) return
  const text = texts.find(({ key }) => key === entry.key)
  if (text && act === 'discard') text.mayBeLost = true
  if (text) text.late = true
  void page.client[act](entry.key)
}

async function signOut(world: World, page: Page | undefined) {
  const { server, browser, texts } = world
  if (page?.life !== 'alive' || page.client.phase.value !== 'ready' || server.line === 'down') return
  const user = page.client.state.session.value?.user.id
  for (const text of texts) if (text.user_id === user && !isStored(world, text)) text.mayBeLost = true
  server.answers.set('signOut', ({ session }) => {
    server.endSession(session)
    browser.session = 0
    return {}
  })
  world.leaving = true
  void page.client.signOut().catch(() => {})
}

function signIn(world: World, index: number, user: number) {
  const { server, browser } = world
  const page = world.tabs[index]
  if (page?.life !== 'alive' || page.client.phase.value !== 'signed_out') return
  world.leaving = false
  browser.session = server.signIn(user)
  // The browser has the cookie before the page has the answer.
  world.clock.after(world.random() * 50, page, () => void page.client.signedIn(user))
}

async function take(world: World, [name, ...args]: Step) {
  const { clock, server, browser, tabs } = world
  const index = typeof args[0] === 'number' ? args[0] : 0
  const page = tabs[index]
  switch (name) {
    case 'write':
      return write(world, index, args[1] as number, false)
    case 'record':
      return write(world, index, 1, true)
    case 'line':
      server.line = args[0] as Line
      if (server.line === 'down') server.cut()
      return
    case 'pass':
      return clock.pass(args[0] as number)
    case 'sleep':
      clock.sleep((args[0] as number) * HOUR_MS)
      return
    case 'open':
      if (!page) tabs[index] = browser.open()
      return
    case 'close':
    case 'reload':
    case 'kill':
      if (!page) return
      lose(world, page, name !== 'kill' && page.life === 'alive')
      browser[name === 'kill' ? 'kill' : 'close'](page)
      tabs[index] = name === 'reload' ? browser.open() : undefined
      return
    case 'freeze':
      if (page) browser.freeze(page)
      return
    case 'thaw':
      if (page) browser.thaw(page)
      return
    case 'retry':
    case 'discard':
      return onFailed(world, index, name)
    case 'sign out':
      return signOut(world, page)
    case 'sign in':
      return signIn(world, index, args[1] as number)
    case 'session ends':
      return server.endSession(browser.session)
    case 'cut':
      return server.cut()
    case 'events forgotten':
      return server.forgetEvents()
    case 'disk full':
    case 'disk free':
      browser.storage.full = name === 'disk full'
      return
  }
}

/** A page may be loaded again by itself, in the place of another one. */
function follow({ browser, tabs }: World) {
  const open = browser.pages()
  for (const [index, page] of tabs.entries())
    if (page && !open.includes(page)) tabs[index] = open.find((one) => !tabs.includes(one))
}

export const REST_MS = 40_000

export function checkStored({ server, texts }: World) {
  for (const text of texts) {
    const copies = server.stored.filter(({ message }) => message.content === text.content)
    // The server knows a key within one session.
    const sessions = new Set(copies.map(({ session }) => session))
    assert.equal(copies.length, sessions.size, `${text.content} was stored twice`)
    for (const { message, key } of copies) {
      assert.equal(key, text.key, `${text.content} was sent under another key`)
      assert.equal(message.user_id, text.user_id, `${text.content} was sent by another`)
    }
  }
  const pages = new Set(texts.map(({ page }) => page))
  for (const page of pages)
    for (const chat of [1, 2]) {
      const mine = texts.filter((one) => one.page === page && one.chat_id === chat && !one.late)
      const order = mine.map(({ content }) =>
        server.stored.findIndex(({ message }) => message.content === content),
      )
      const found = order.filter((place) => place >= 0)
      assert.deepEqual(
        found,
        found.toSorted((a, b) => a - b),
        `order of chat ${chat}`,
      )
    }
}

/** Each text is on the server and shown once, or shown as failed. */
function checkRest(world: World, page: Page, user: number) {
  const { outbox, state } = page.client
  const at = `in tab ${page.id} of ${user}`
  assert.equal(page.client.phase.value, 'ready', at)
  for (const text of world.texts.filter(({ user_id }) => user_id === user)) {
    const entry = outbox.value.find(({ key }) => key === text.key)
    const run = state.messages.value.get(1)
    const shown = run?.messages.filter(({ content }) => content === text.content) ?? []
    if (entry) assert.equal(entry.state, 'failed', `${text.content} still waits ${at}`)
    if (isStored(world, text)) {
      if (entry) assert.equal(entry.code, 'waited', `${text.content} is shown as failed and was sent ${at}`)
      // A page that could not be read is read by the screen.
      if (text.chat_id === 1 && run && !run.stale)
        assert.equal(shown.length, copiesOf(world, text), `${text.content} is shown ${at}`)
    } else if (!text.mayBeLost) assert.ok(entry, `${text.content} is lost ${at}`)
  }
  const keys = outbox.value.map(({ key }) => key)
  assert.deepEqual(keptKeys(world, user), keys.sort(), `what the device keeps ${at}`)
}

interface Left {
  key: string
  value?: { user_id: number }
}

/** In the database, or left for it in local storage; a voice message that the disk did not take is in neither. */
export function keptKeys({ browser: { storage } }: World, user: number): string[] {
  const kept = new Map(storage.stores.get('outbox') as Map<string, { user_id: number }>)
  for (const [name, text] of Object.entries(storage.items)) {
    const { key, value } = JSON.parse(text) as Left
    if (!name.startsWith('parley-write:outbox:')) continue
    if (value) kept.set(key, value)
    else kept.delete(key)
  }
  return [...kept].flatMap(([key, { user_id }]) => (user_id === user ? [key] : [])).sort()
}

export async function rest(world: World) {
  const { clock, server, browser } = world
  server.line = 'up'
  browser.storage.full = false
  for (const page of browser.pages()) if (page.life === 'frozen') browser.thaw(page)
  await clock.pass(REST_MS)
  const now = server.sessions.get(browser.session)
  const signed = browser.pages().filter((page) => page.client.phase.value === 'ready')
  if (now !== undefined) for (const page of signed) checkRest(world, page, now)
  for (const user of [ALICE, BOB]) {
    for (const page of browser.pages()) {
      lose(world, page, true)
      browser.close(page)
    }
    await clock.pass(1000)
    browser.session = server.signIn(user)
    const page = browser.open()
    await clock.pass(REST_MS)
    checkRest(world, page, user)
  }
  checkStored(world)
}

export async function play(taken: readonly Step[], seed: number, check: (world: World) => unknown = rest) {
  const world = createWorld(seed)
  await world.clock.pass(1000)
  for (const one of taken) {
    await take(world, one)
    await world.clock.pass(0)
    follow(world)
    checkStored(world)
  }
  await check(world)
}
