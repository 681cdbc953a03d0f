import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ThreadInboxItem, TimelineMessage } from '@parley/contract'
import fc from 'fast-check'
import { at, card, frame, message } from '../testing/shapes.js'
import type { Page } from '../testing/simulated/browser.js'
import type { Clock } from '../testing/simulated/clock.js'
import { createScene } from '../testing/simulated/scene.js'
import type { Server } from '../testing/simulated/server.js'

const ME = 9
const OTHER = 2
const RUNS = 100
const SEED = 1
const LAST_PAGE = { paginate: { has_next: false, next_page: '' } }
/** Of threads that are followed from the start. */
const IDS = [1, 2]

type Step =
  | ['reply' | 'read' | 'half', thread: number]
  | ['follow', thread: number, boolean]
  | ['ask' | 'gap']
  | ['pass', ms: number]

const thread = fc.constantFrom(...IDS)
const step = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom('reply', 'reply', 'reply', 'read', 'half'), thread) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('follow'), thread, fc.boolean()) },
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom('ask', 'ask', 'ask', 'gap')) },
  { weight: 6, arbitrary: fc.tuple(fc.constant('pass'), fc.constantFrom(1, 10, 20, 40, 80, 200)) },
) as fc.Arbitrary<Step>

interface World {
  clock: Clock
  server: Server
  page: Page
  /** What the server has, by thread. */
  inbox: Map<number, ThreadInboxItem>
  /** The ids of all replies, by thread. */
  replies: Map<number, number[]>
  pressing: boolean
}

const chatOf = (id: number) => id + 100

function itemOf(id: number): ThreadInboxItem {
  const counts = { replies_count: 1, unread_count: 0, last_reply_at: at(id), last_replier_ids: [OTHER] }
  return {
    thread: { id, chat_id: chatOf(id), root_chat_id: 1, following: true, ...counts },
    parent: message(id),
    last_replies: [replyIn(id, 10 + id)],
  }
}

function replyIn(id: number, messageId: number): TimelineMessage {
  const place = { chat_id: chatOf(id), entity_type: 'thread', entity_id: id } as const
  return message(messageId, { ...place, user_id: OTHER })
}

function createWorld(seed: number): World {
  const { clock, server, browser } = createScene(seed, ME)
  const inbox = new Map(IDS.map((id) => [id, itemOf(id)]))
  server.answers.set('listThreadInbox', () => ({ data: [...inbox.values()], people: [], meta: LAST_PAGE }))
  server.answers.set('listUnread', () => ({ data: [...inbox.values()].flatMap(unreadOf), meta: LAST_PAGE }))
  const replies = new Map(IDS.map((id) => [id, [10 + id]]))
  const world = { clock, server, page: browser.open(), inbox, replies, pressing: false }
  server.answers.set('followThread', ({ path, body }) => {
    const id = Number(path.split('/')[3])
    const { following } = body as { following: boolean }
    if (following === inbox.get(id)?.thread.following) return {}
    change(world, id, { following, unread_count: 0 })
    const event = following ? 'chat_members.added' : 'chat_members.removed'
    server.tell(frame(event, { user_ids: [ME] }, { chat_id: chatOf(id) }))
    return {}
  })
  return world
}

function unreadOf({ thread: { id, chat_id, unread_count } }: ThreadInboxItem) {
  const unread = { chat_id, thread_id: id, read_message_id: 0, unread_count, mentioned: false }
  return unread_count > 0 ? [unread] : []
}

function change(
  { inbox }: World,
  id: number,
  more: Partial<ThreadInboxItem['thread']>,
  reply?: TimelineMessage,
) {
  const item = inbox.get(id) as ThreadInboxItem
  const last_replies = reply ? [...item.last_replies, reply].slice(-2) : item.last_replies
  inbox.set(id, { ...item, thread: { ...item.thread, ...more }, last_replies })
}

/** One press after another: what two at once come to is for the server to say. */
function follow(world: World, id: number, following: boolean) {
  if (world.pressing) return
  world.pressing = true
  void world.page.client.followThread(id, following).finally(() => {
    world.pressing = false
  })
}

/** A reply that the stream does not tell of. */
function lose(world: World) {
  world.server.cut()
  void take(world, ['reply', 1])
  world.server.forgetEvents()
}

function take(world: World, taken: Step) {
  const { clock, server, page, inbox } = world
  const [name, id = 0] = taken as [string, number?]
  const counts = inbox.get(id)?.thread
  if (name === 'pass') return clock.pass(id)
  if (name === 'ask') void page.client.readThreadInbox()
  if (name === 'follow') follow(world, id, taken[2] as boolean)
  if (name === 'gap') lose(world)
  if (name === 'reply' && counts) {
    const reply = replyIn(id, 100 + server.position())
    world.replies.get(id)?.push(reply.id)
    const { replies_count, unread_count } = counts
    const unread = counts.following ? unread_count + 1 : 0
    change(world, id, { replies_count: replies_count + 1, unread_count: unread }, reply)
    server.tell(frame('message.created', {}, { chat_id: chatOf(id), message: reply }))
  }
  if (name === 'read' || (name === 'half' && counts)) {
    const left = name === 'half' ? Math.floor((counts?.unread_count ?? 0) / 2) : 0
    change(world, id, { unread_count: left })
    const message_id = world.replies.get(id)?.at(-1 - left) ?? 0
    const chat = card(chatOf(id), { kind: 'thread', read_message_id: message_id, unread_count: left })
    server.tell(frame('read.moved', { user_id: ME, message_id }, { chat_id: chatOf(id), chat }))
  }
  return clock.pass(0)
}

const told = ({ thread: { id, replies_count, unread_count, following }, last_replies }: ThreadInboxItem) => ({
  ...{ id, replies_count, unread_count, following },
  replies: last_replies.map((reply) => reply.id),
})

async function play(taken: readonly Step[], seed: number) {
  const world = createWorld(seed)
  await world.clock.pass(1000)
  for (const one of taken) await take(world, one)
  await world.clock.pass(10_000)
  check(world)
}

function check(world: World) {
  const { items } = world.page.client.state.threadInbox.value
  if (!items) return
  const byId = (one: { id: number }, other: { id: number }) => one.id - other.id
  assert.deepEqual(items.map(told).sort(byId), [...world.inbox.values()].map(told).sort(byId))
}

test('the followed threads are as the server has them, whatever came while they were asked for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 30 }), fc.nat(1_000_000), play),
    { numRuns: RUNS, seed: SEED, includeErrorInReport: true },
  )
})

test('threads that were asked for before a gap are asked for again', async () => {
  let read = 0
  for (let seed = 1; seed <= 20; seed += 1) {
    const world = createWorld(seed)
    const { clock, server, page } = world
    await clock.pass(1000)
    server.slow_ms = 8000
    void page.client.readThreadInbox()
    await clock.pass(seed * 200)
    server.slow_ms = 60
    lose(world)
    await clock.pass(20_000)
    // An answer from before the gap is gone with it.
    read += page.client.state.threadInbox.value.items ? 1 : 0
    check(world)
  }
  assert.ok(read > 5)
})

test('a thread of which half was read elsewhere tells how much is left', async () => {
  const replies = Array.from({ length: 6 }, (): Step => ['reply', 1])
  await play([['ask'], ['pass', 200], ...replies, ['pass', 3000], ['half', 1]], 1)
})

test('an unread thread that is followed no more is counted no more', async () => {
  const world = createWorld(1)
  const count = () => world.page.client.state.counters.value.unread_threads
  await world.clock.pass(1000)
  for (const one of [
    ['reply', 1],
    ['reply', 2],
    ['pass', 3000],
  ] as Step[])
    await take(world, one)
  assert.equal(count(), 2)
  for (const one of [
    ['follow', 1, false],
    ['pass', 3000],
  ] as Step[])
    await take(world, one)
  assert.equal(count(), 1)
})
