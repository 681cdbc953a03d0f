import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatCard } from '@parley/contract'
import fc from 'fast-check'
import { card, frame, message } from '../testing/shapes.js'
import { createScene, type Scene } from '../testing/simulated/scene.js'
import { restOfChats } from '../testing/simulated/server.js'

const ME = 9
const OTHER = 2
const CHATS = 10
const RUNS = 200
const SEED = 1

type Step = ['write' | 'read' | 'rename' | 'leave' | 'archive', chat: number] | ['pass', ms: number] | [Other]
type Other = 'join' | 'reload' | 'gap' | 'cut' | 'failing' | 'up'

const chat = fc.integer({ min: 1, max: CHATS })
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(fc.constantFrom('write', 'write', 'read', 'rename', 'leave', 'archive'), chat),
  },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom('join', 'reload', 'gap', 'cut', 'failing', 'up')) },
  { weight: 6, arbitrary: fc.tuple(fc.constant('pass'), fc.constantFrom(20, 50, 100, 150, 300, 2000)) },
) as fc.Arbitrary<Step>

interface World extends Scene {
  /** Of the newest message. */
  last: number
  /** Chats that are on the screen and that the person has not been out of since. */
  steady: Set<number>
  left: Set<number>
}

const minute = (n: number) => new Date(Date.UTC(2030, 0, 31, 1, n)).toISOString()
const cardAt = (id: number, more: Partial<ChatCard> = {}) =>
  card(id, {
    last_message_id: id,
    read_message_id: id,
    unread_count: 0,
    last_message_at: minute(id),
    ...more,
  })

/** Nothing is on the screen yet; a page has three chats. */
function createWorld(seed: number): World {
  const scene = createScene(seed, ME)
  const { server, browser } = scene
  server.slow_ms = 300
  server.page = 3
  server.chats = Array.from({ length: CHATS }, (_, n) =>
    cardAt(n + 1, { read_message_id: 0, unread_count: 1 }),
  )
  server.answers.set('getChatCard', ({ path }) => {
    const data = server.chats.find(({ id }) => id === Number(path.split('/')[3]))
    return data && { data }
  })
  browser.open()
  return { ...scene, last: CHATS, steady: new Set(), left: new Set() }
}

const shownBy = ({ browser }: World) => browser.pages()[0]?.client.state.chats.value ?? new Map()

function change(
  { server }: World,
  id: number,
  of: (card: ChatCard) => Partial<ChatCard>,
): ChatCard | undefined {
  const known = server.chats.find((one) => one.id === id)
  if (!known) return undefined
  const next = { ...known, ...of(known) }
  server.chats = server.chats.map((one) => (one === known ? next : one))
  return next
}

function write(world: World, id: number) {
  const { clock, server } = world
  world.last += 1
  const at = new Date(clock.now()).toISOString()
  const more = { last_message_id: world.last, last_message_at: at }
  if (!change(world, id, ({ unread_count }) => ({ ...more, unread_count: unread_count + 1 }))) return
  const place = { chat_id: id, root_chat_id: id, entity_id: id }
  const said = message(world.last, { ...place, user_id: OTHER, created_at: at })
  server.tell(frame('message.created', {}, { chat_id: id, message: said }))
}

function read(world: World, id: number) {
  const next = change(world, id, ({ last_message_id }) => ({
    read_message_id: last_message_id,
    unread_count: 0,
  }))
  if (!next) return
  const payload = { user_id: ME, read_message_id: next.read_message_id ?? 0, unread_count: 0 }
  world.server.tell(frame('read.moved', payload, { chat_id: id }))
}

function tellChat({ server }: World, told: ChatCard) {
  server.tell(frame('chat.updated', {}, { chat_id: told.id, chat: told }))
}

/** The person is in it no more, or nobody writes there any more. */
function end(world: World, id: number, tell: (known: ChatCard) => void) {
  const { server } = world
  const known = server.chats.find((one) => one.id === id)
  if (!known) return
  server.chats = server.chats.filter((one) => one !== known)
  world.steady.delete(id)
  world.left.add(id)
  tell(known)
}

function lose(world: World) {
  world.server.cut()
  for (const id of [1, 5, 9]) write(world, id)
  world.server.forgetEvents()
}

function join(world: World) {
  const { server, clock, left } = world
  const id = [...left][0] ?? CHATS + 1
  if (server.chats.some((one) => one.id === id)) return
  const last_message_at = new Date(clock.now()).toISOString()
  const joined = cardAt(id, { last_message_id: world.last, read_message_id: world.last, last_message_at })
  server.chats = [...server.chats, joined]
  tellChat(world, joined)
}

function reload(world: World) {
  const { browser, steady } = world
  const [page] = browser.pages()
  if (page) browser.close(page)
  steady.clear()
  browser.open()
}

async function take(world: World, [name, value = 0]: [string, number?]) {
  const { server } = world
  if (name === 'write') write(world, value)
  if (name === 'read') read(world, value)
  if (name === 'rename') {
    const named = change(world, value, () => ({ name: `Named at ${world.clock.now()}` }))
    if (named) tellChat(world, named)
  }
  if (name === 'leave')
    end(world, value, ({ id }) =>
      server.tell(frame('chat_members.removed', { user_ids: [ME] }, { chat_id: id })),
    )
  if (name === 'archive') end(world, value, (known) => tellChat(world, { ...known, archived: true }))
  if (name === 'join') join(world)
  if (name === 'reload') reload(world)
  if (name === 'gap') lose(world)
  if (name === 'cut') server.cut()
  if (name === 'failing' || name === 'up') server.line = name
  if (name === 'pass') await world.clock.pass(value, () => watch(world))
}

/** What was shown, and is still there, stays on the screen. */
function watch(world: World) {
  const { server, steady, left } = world
  const shown = shownBy(world)
  for (const id of steady) assert.ok(shown.has(id), `chat ${id} is gone from the list`)
  for (const { id } of server.chats) if (shown.has(id) && !left.has(id)) steady.add(id)
}

const told = ({ id, name, last_message_id, read_message_id, unread_count }: ChatCard) => ({
  id,
  name,
  last_message_id,
  read_message_id,
  unread_count,
})
const byId = (a: { id: number }, b: { id: number }) => a.id - b.id

function check(world: World) {
  const shown = [...shownBy(world).values()].filter(({ archived }) => !archived)
  assert.deepEqual(shown.map(told).sort(byId), world.server.chats.map(told).sort(byId))
}

async function settle(world: World) {
  world.server.line = 'up'
  await world.clock.pass(90_000, () => watch(world))
  check(world)
}

test('all chats arrive as the server has them, whatever happens while pages are on their way', async () => {
  const play = async (steps: readonly Step[], seed: number) => {
    const world = createWorld(seed)
    for (const one of steps) await take(world, one as [string, number?])
    await settle(world)
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), fc.nat(1_000_000), play),
    { numRuns: RUNS, seed: SEED, includeErrorInReport: true },
  )
})

test('the first page and the open chat are shown while the others are on their way', async () => {
  const world = createWorld(1)
  world.server.line = 'failing'
  await world.clock.pass(3000)
  assert.deepEqual([...shownBy(world).keys()].sort(), [1, 10, 8, 9])
  await settle(world)
})

test('a page that fails is asked for again, and not often', async () => {
  const world = createWorld(1)
  const { server, clock } = world
  let asked = 0
  server.answers.set('listOwnChatCards', () => {
    asked += 1
  })
  await clock.pass(120_000)
  assert.ok(asked > 3 && asked < 20, `${asked} times`)
  server.answers.delete('listOwnChatCards')
  await settle(world)
})

/** Something happens right before the server makes a page, or right after it. */
async function playSlow(when: 'before' | 'after', happens: (world: World) => void, stream_ms: number) {
  for (let seed = 1; seed <= 10; seed += 1) {
    const world = createWorld(seed)
    const { server, clock } = world
    server.slow_ms = 20
    let pages = 0
    server.answers.set('listOwnChatCards', (asked) => {
      pages += 1
      if (pages === 1) server.slow_ms = stream_ms
      if (pages === 1 && when === 'before') happens(world)
      const made = restOfChats(server, asked)
      if (pages === 1 && when === 'after') happens(world)
      server.slow_ms = 20
      return made
    })
    await clock.pass(5000)
    await settle(world)
  }
}

test('what was read elsewhere while a page was made is counted as the server counts it', async () => {
  const readAndWrite = (world: World) => {
    read(world, 5)
    read(world, 6)
    write(world, 6)
  }
  for (const when of ['before', 'after'] as const)
    for (const stream_ms of [20, 2000]) await playSlow(when, readAndWrite, stream_ms)
})

test('pages that are on their way when the person signs out are not shown', async () => {
  const world = createWorld(1)
  const { server, browser, clock } = world
  server.answers.set('listOwnChatCards', (asked) => {
    server.slow_ms = 5000
    return restOfChats(server, asked)
  })
  await clock.pass(2000)
  assert.equal(shownBy(world).size, server.page + 1)
  const [page] = browser.pages()
  server.slow_ms = 20
  server.endSession(browser.session)
  void page?.client.call('listPresence').catch(() => {})
  await clock.pass(100)
  await clock.pass(30_000, () => assert.equal(shownBy(world).size, 0))
})
