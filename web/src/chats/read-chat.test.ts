import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatCard } from '@parley/contract'
import fc from 'fast-check'
import { card, frame, message } from '../testing/shapes.js'
import type { Page } from '../testing/simulated/browser.js'
import type { Clock } from '../testing/simulated/clock.js'
import { createScene } from '../testing/simulated/scene.js'
import type { Server } from '../testing/simulated/server.js'

const ME = 9
const OTHER = 2
/** A chat that the first call does not give. */
const CHAT = 7
const RUNS = 300
const SEED = 1

type Step = ['write' | 'rename' | 'gap' | 'ask'] | ['pass', ms: number]

const step = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom('write', 'write', 'rename')) },
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom('ask', 'ask', 'ask', 'ask', 'gap')) },
  { weight: 6, arbitrary: fc.tuple(fc.constant('pass'), fc.constantFrom(20, 50, 100, 150, 300)) },
) as fc.Arbitrary<Step>

interface World {
  clock: Clock
  server: Server
  page: Page
  /** As the server has it. */
  chat: ChatCard
}

function createWorld(seed: number): World {
  const { clock, server, browser } = createScene(seed, ME)
  server.slow_ms = 300
  const chat = card(CHAT, { last_message_id: 1, read_message_id: 1, unread_count: 0 })
  const world = { clock, server, page: browser.open(), chat }
  server.answers.set('getChatCard', () => ({ data: world.chat }))
  return world
}

function write(world: World) {
  const id = (world.chat.last_message_id ?? 0) + 1
  const said = message(id, { chat_id: CHAT, root_chat_id: CHAT, entity_id: CHAT, user_id: OTHER })
  world.chat = { ...world.chat, last_message_id: id, unread_count: world.chat.unread_count + 1 }
  world.server.tell(frame('message.created', {}, { chat_id: CHAT, message: said }))
}

function read(world: World) {
  const { last_message_id } = world.chat
  world.chat = { ...world.chat, read_message_id: last_message_id, unread_count: 0 }
  const payload = { user_id: ME, read_message_id: last_message_id ?? 0, unread_count: 0 }
  world.server.tell(frame('read.moved', payload, { chat_id: CHAT }))
}

function rename(world: World) {
  world.chat = { ...world.chat, name: `Named at ${world.clock.now()}` }
  world.server.tell(frame('chat.updated', {}, { chat_id: CHAT, chat: world.chat }))
}

/** Streams lose a message. */
function lose(world: World) {
  world.server.cut()
  write(world)
  world.server.forgetEvents()
}

function take(world: World, [name, ms = 0]: [string, number?]) {
  if (name === 'ask') void world.page.client.readChat(CHAT)
  if (name === 'write') write(world)
  if (name === 'rename') rename(world)
  if (name === 'gap') lose(world)
  return world.clock.pass(ms)
}

const told = ({ name, last_message_id, read_message_id, unread_count }: ChatCard) => ({
  name,
  last_message_id,
  read_message_id,
  unread_count,
})

async function play(taken: readonly Step[], seed: number) {
  const world = createWorld(seed)
  await world.clock.pass(3000)
  for (const one of taken) await take(world, one as [string, number?])
  await world.clock.pass(10_000)
  check(world)
}

function check(world: World) {
  const shown = world.page.client.state.chats.value.get(CHAT)
  if (shown) assert.deepEqual(told(shown), told(world.chat))
}

test('a chat that was asked for is as the server has it, whatever came while its card was on its way', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 20 }), fc.nat(1_000_000), play),
    { numRuns: RUNS, seed: SEED, includeErrorInReport: true },
  )
})

/** Something happens right before the server makes the card, or right after it, and is heard long before the card. */
async function playSlow(when: 'before' | 'after', happens: (world: World) => void) {
  for (let seed = 1; seed <= 10; seed += 1) {
    const world = createWorld(seed)
    const { clock, server, page } = world
    await clock.pass(3000)
    write(world)
    server.slow_ms = 20
    server.answers.set('getChatCard', () => {
      if (when === 'before') happens(world)
      const made = world.chat
      if (when === 'after') happens(world)
      server.answers.set('getChatCard', () => ({ data: world.chat }))
      server.slow_ms = 30_000
      return { data: made }
    })
    void page.client.readChat(CHAT)
    await clock.pass(100)
    server.slow_ms = 20
    await clock.pass(30_000)
    check(world)
  }
}

function readAndWrite(world: World) {
  read(world)
  write(world)
}

test('what was written after a reading elsewhere is unread, also in a card that was made after both', () =>
  playSlow('before', readAndWrite))

test('what was read elsewhere after a card was made is not unread', () => playSlow('after', readAndWrite))

test('a card that was made before a gap is asked for again', () => playSlow('after', lose))
