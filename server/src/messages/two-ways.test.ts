// A plain message is written by the batch or by postMessage. Both give the same answers, events and refusals.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createMessage, createThread, listAuditEvents } from '@parley/contract'
import fc from 'fast-check'
import { sql } from 'kysely'
import { type Actor, actingFor } from '../platform/actor.js'
import type { RelayedEvent } from '../platform/events/relay.js'
import { Problem } from '../platform/problem.js'
import { world } from '../testing/world.js'
import { createFacts } from './chat-facts.js'
import { expandEvent } from './expand-event.js'
import { type NewMessage, postMessage } from './post.js'
import { createPostBatch } from './post-batch.js'
import { saying } from './testing-saying.js'

/** Pieces of texts that the two ways could treat differently. */
const piece = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('hello', '@bob', '@all', '@here', '@nobody', '@staff', '<@2>', '@Alice'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('https://a.org/x?y=1', '"quoted" \\', '\n\n', '  ', '{"a":1}', '\u2028', '🙂'),
  },
  {
    weight: 1,
    arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0')),
  },
)
type Sent = Omit<NewMessage, 'entity_type' | 'entity_id'> & {
  target: Pick<NewMessage, 'entity_type' | 'entity_id'>
}

const content = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(' '))

test('both ways of sending give the same answer, events and refusals', async (t) => {
  const { ctx, clock, owner, alice, bob, mia, bot, admin, office, attic, news } = await world(t)
  await ctx.db
    .insertInto('group_tags')
    .values({ name: 'staff', created_at: new Date(ctx.clock.now()) })
    .execute()
  const say = async (to: number, text: string, more: object = {}) =>
    (await alice.call(createMessage, saying(to, text, more))).data
  const question = await say(office.id, 'question')
  const { data: thread } = await alice.call(createThread, { params: { id: question.id } })
  for (const person of [bob, mia]) await say(person.id, 'hello', { entity_type: 'user' })

  // So that the id of a message is no part of any other number.
  await sql`alter sequence messages_id_seq restart 50000000`.execute(ctx.db)
  clock.freeze(true)

  const pool = ctx.hot_pool
  const batch = createPostBatch(ctx, pool, createFacts(pool))

  const targets: Pick<NewMessage, 'entity_type' | 'entity_id'>[] = [
    ...[office, attic, news, { id: thread.chat_id }, { id: 999_999 }].map(({ id }) => ({ entity_id: id })),
    { entity_type: 'thread', entity_id: thread.id },
    ...[alice, bob, mia, bot].map(({ id }) => ({ entity_type: 'user' as const, entity_id: id })),
  ]
  const actors: Actor[] = [
    actingFor(alice.id, 'user', 'corporation'),
    actingFor(bob.id, 'user', 'standard'),
    actingFor(mia.id, 'multi_guest', 'standard'),
    actingFor(admin.id, 'admin', 'standard'),
    actingFor(bot.id, 'bot', 'standard'),
  ]
  const input = fc.record(
    {
      target: fc.constantFrom(...targets),
      content,
      link_preview: fc.boolean(),
      parent_message_id: fc.oneof(
        { weight: 4, arbitrary: fc.constant(null) },
        fc.constantFrom(question.id, 999_999),
      ),
      display_name: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, fc.constant('Build')),
      skip_invite_mentions: fc.boolean(),
      client_key: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 }),
    },
    { requiredKeys: ['target', 'content'] },
  )

  const plain = (actor: Actor, message: NewMessage) => postMessage(ctx, actor, message, { quota: pool })
  /** As the route does it: what the batch leaves goes the plain way. */
  async function hot(actor: Actor, message: NewMessage) {
    const key = message.client_key === undefined ? null : keyOf(message.client_key)
    const text = await batch.post(actor, message, key)
    if (text === null) return plain(actor, message)
    taken += 1
    const sent = JSON.parse(text).data
    if (key !== null) {
      keyed += 1
      // Once more: nothing is written, and the same answer can be made again.
      assert.equal(await batch.post(actor, message, key), null)
      const written = { message_id: sent.id, created_at: new Date(sent.created_at) }
      assert.equal(await batch.repeat(actor, message, written), text)
    }
    return sent
  }
  let taken = 0
  let keyed = 0
  let tokens = 0
  const keyOf = (key: string) => {
    tokens += 1
    return { token_id: tokens, operation: createMessage.id, key, body_hash: randomBytes(32) }
  }

  /** Everything that came of it, without the message's own id. */
  async function outcome(send: () => Promise<{ id: number }>) {
    const { last } = await ctx.db
      .selectFrom('events')
      .select((eb) => eb.fn.max('id').as('last'))
      .executeTakeFirstOrThrow()
    const answer = await send().catch((error) => {
      if (error instanceof Problem) return { status: error.status, errors: error.errors }
      throw error
    })
    const rows = await ctx.db.selectFrom('events').selectAll().where('id', '>', last).orderBy('id').execute()
    const told = rows.map((row) => {
      const { type, chat_id, actor_id, created_at, payload } = expandEvent(row as unknown as RelayedEvent)
      return { type, chat_id, actor_id, created_at, payload }
    })
    const id = 'id' in answer ? answer.id : 0
    const { data: audited } = await owner.call(listAuditEvents, {
      query: { entity_id: String(id), event_key: 'message_created' },
    })
    const recorded = audited.map(({ id: _, ...record }) => record)
    const named = await ctx.db
      .selectFrom('mentions')
      .select(['chat_id', 'user_id', 'tag_id'])
      .where('message_id', '=', id)
      .orderBy('user_id')
      .orderBy('tag_id')
      .execute()
    const text = JSON.stringify({ answer, told, recorded, named })
    return JSON.parse(id === 0 ? text : text.replaceAll(String(id), '1'))
  }

  async function isSame(actor: Actor, { target, ...more }: Sent) {
    const message: NewMessage = { ...target, ...more }
    // What only a first message does, such as joining a thread, is done before.
    await plain(actor, message).catch(() => {})
    const first = await outcome(() => plain(actor, message))
    const second = await outcome(() => hot(actor, message))
    assert.deepEqual(second, first)
  }

  const inOffice: Sent['target'] = { entity_id: office.id }
  const inThread: Sent['target'] = { entity_type: 'thread', entity_id: thread.id }
  const toBob: Sent['target'] = { entity_type: 'user', entity_id: bob.id }
  const sender = actingFor(alice.id, 'user', 'corporation')
  for (const target of [inOffice, inThread, toBob])
    for (const more of [{}, { client_key: 'key' }])
      await isSame(sender, { target, content: 'hello', ...more })
  assert.deepEqual({ taken, keyed }, { taken: 6, keyed: 3 }, 'the batch takes plain messages')

  await fc.assert(fc.asyncProperty(fc.constantFrom(...actors), input, isSame), {
    numRuns: 50,
    seed: 20_261_117,
  })
})
