import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Audience,
  companyMembersUpdated,
  createBot,
  createMessage,
  createThread,
  deleteBot,
  EVENTS,
  type EventKind,
  noticeCreated,
  readMoved,
  rotateSigningSecret,
  taskCreated,
  updateBot,
  userStatusChanged,
} from '@parley/contract'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { type Person, type World, world } from '../testing/world.js'
import { type Heard, listenLive, session } from './testing-live.js'

const NOTIFICATIONS = {
  level: 'all',
  keywords: [],
  quiet_hours: null,
  sound: true,
  mail_digest: 'off',
  mail_language: null,
  chats: [],
}

type Cast = Record<string, Person>

/** Who of the cast of `everyKind` each audience is; alice, bob and mia are in the office, eva is named. */
const EXPECTED: Record<Audience, string[]> = {
  chat: ['alice', 'bob', 'mia'],
  chat_and_named: ['alice', 'bob', 'mia', 'eva'],
  chat_and_performers: ['alice', 'bob', 'mia', 'eva'],
  reader: ['eva'],
  person: ['eva'],
  workspace: ['alice', 'bob', 'eva', 'dave', 'admin'],
}

/** A value for each field that any event has; a new field needs a line here. */
function payloadOf(kind: EventKind, chat_id: number, named: number) {
  const created_at = new Date(0).toISOString()
  const values: Record<string, unknown> = {
    ...{
      id: 1,
      message_id: 1,
      task_id: 1,
      thread_id: 1,
      bot_id: 1,
      draft_id: 1,
      tag_id: 1,
      view_id: 'view',
      parent_message_id: null,
    },
    ...{
      chat_id,
      root_chat_id: chat_id,
      message_chat_id: chat_id,
      entity_type: 'discussion',
      entity_id: chat_id,
    },
    ...{ user_id: named, user_ids: [named], performer_ids: [named] },
    ...{ created_at, changed_at: created_at, content: 'hello', code: '👍', name: 'thumbs up' },
    ...{
      thread: null,
      personal: false,
      link_preview: false,
      scheduled: false,
      kind: 'test.told',
      text: 'told',
      notice_ids: [1],
      notices_unread: 0,
      approval_id: 1,
      approved: true,
      preferences: {},
      notifications: NOTIFICATIONS,
    },
  }
  const { properties, required = [] } = kind.payload as { properties: object; required?: string[] }
  return Object.fromEntries(
    Object.keys(properties)
      .filter((field) => required.includes(field))
      .map((field) => [field, values[field]]),
  )
}

/** What every stream hears of streams themselves. */
const IN_PASSING = new Set(['ready', 'presence.changed'])

/** Opens a stream for everybody, runs, and gives the types that each heard. */
async function listening(
  t: Parameters<typeof listenLive>[0],
  w: World,
  cast: Cast,
  run: () => Promise<unknown>,
): Promise<Record<string, Heard[]>> {
  const streams = await Promise.all(
    Object.entries(cast).map(async ([name, person]) => {
      const stream = await listenLive(t, w, await session(w, person))
      return { name, person, stream }
    }),
  )
  await run()
  const mark = { kind: 'test.mark', text: 'mark' }
  for (const { id: user_id } of Object.values(cast))
    await transaction(w.ctx, (tx) => emit(tx, w.ctx, { user_id }, noticeCreated, { user_id, ...mark }))
  await w.drain()
  const isMark = ({ data }: Heard) => data.type === 'notice.created' && data.payload.kind === 'test.mark'
  const heard = streams.map(async ({ name, stream }) => {
    const all = await stream.until(isMark)
    return [name, all.filter((event) => !IN_PASSING.has(event.event) && !isMark(event))] as const
  })
  return Object.fromEntries(await Promise.all(heard))
}

const typesOf = (heard: Record<string, Heard[]>) =>
  Object.fromEntries(Object.entries(heard).map(([name, events]) => [name, events.map(({ event }) => event)]))

test('each kind of event is heard by exactly the audience that it declares', async (t) => {
  const w = await world(t)
  const { alice, bob, mia, admin, office, ctx } = w
  const dave = await w.person({ nickname: 'dave' })
  const eva = await w.person({ nickname: 'eva' })
  const guest = await w.person({ role: 'multi_guest', nickname: 'guest' })
  const cast: Cast = { alice, bob, mia, eva, dave, admin, guest }
  const heard = await listening(t, w, cast, async () => {
    for (const kind of EVENTS) {
      const payload = payloadOf(kind, office.id, eva.id)
      await transaction(ctx, (tx) => emit<EventKind>(tx, ctx, { user_id: alice.id }, kind, payload))
    }
  })
  const types = typesOf(heard)
  for (const { type, audience } of EVENTS) {
    const hearers = Object.keys(cast).filter((name) => types[name]?.includes(type))
    assert.deepEqual(hearers, EXPECTED[audience], type)
  }
})

test('a task without a chat, a personal chat, a thread and a named guest', async (t) => {
  const w = await world(t)
  const { alice, bob, mia, admin, office, ctx } = w
  const body = { message: { entity_type: 'user' as const, entity_id: bob.id, content: 'to bob' } }
  const { data: personal } = await alice.call(createMessage, { body })
  const topic = { message: { entity_id: office.id, content: 'topic' } }
  const { data: root } = await alice.call(createMessage, { body: topic })
  await w.drain()
  const heard = await listening(t, w, { alice, bob, mia, admin }, async () => {
    await transaction(ctx, async (tx) => {
      const created_at = new Date(0).toISOString()
      const actor = { user_id: alice.id }
      const task = { task_id: 1, chat_id: null, user_id: alice.id, performer_ids: [admin.id] }
      await emit(tx, ctx, actor, taskCreated, task)
      const read = { chat_id: personal.chat_id, user_id: alice.id, message_id: personal.id }
      await emit(tx, ctx, actor, readMoved, read)
      await emit(tx, ctx, actor, companyMembersUpdated, { user_ids: [mia.id], created_at })
      await emit(tx, ctx, actor, userStatusChanged, { user_id: bob.id })
    })
    await alice.call(createThread, { params: { id: root.id } })
  })
  const people = ['company_members.updated', 'user.status_changed']
  assert.deepEqual(typesOf(heard), {
    alice: ['task.created', 'read.moved', ...people, 'thread.created'],
    bob: ['read.moved', ...people, 'thread.created'],
    mia: ['company_members.updated', 'thread.created'],
    admin: ['task.created', ...people],
  })
})

test('the people who may edit a bot hear what becomes of it', async (t) => {
  const w = await world(t)
  const { alice, bob, admin, owner } = w
  const web = await session(w, alice)
  const heard = await listening(t, w, { alice, bob, admin, owner }, async () => {
    const { data: bot } = await web.call(createBot, {
      body: { webhook: { name: 'Clerk', can_edit: ['admin'] } },
    })
    const params = { id: bot.id }
    await web.call(updateBot, { params, body: { webhook: { can_edit: [] } } })
    await web.call(rotateSigningSecret, { params })
    await web.call(deleteBot, { params })
  })
  const told = Object.fromEntries(
    Object.entries(typesOf(heard)).map(([name, types]) => [
      name,
      types.filter((type) => type.startsWith('bot.')),
    ]),
  )
  const both = ['bot.created', 'bot.updated']
  assert.deepEqual(told, {
    alice: [...both, 'bot.updated', 'bot.deleted'],
    bob: [],
    // Who may no longer edit the bot hears of the change that says so, and then nothing more.
    admin: both,
    owner: both,
  })
})
