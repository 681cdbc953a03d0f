import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addReaction, createMessage, createThread, removeChatMember } from '@parley/contract'
import { world } from '../testing/world.js'
import { at, newChat, ROUNDS, together } from './testing-races.js'

type Act = (thread: number, message: number, other: number) => Promise<unknown>

test('whoever comments, reacts or starts a thread while being removed from the chat is not in its threads', async (t) => {
  const stage = await world(t)
  const { ctx, alice, bob } = stage
  const acts: Act[] = [
    (thread: number, message: number, _other: number) => {
      const comment = {
        entity_type: 'thread' as const,
        entity_id: thread,
        content: `@${alice.id} see ${message}`,
      }
      return bob.call(createMessage, { body: { message: comment } })
    },
    (_thread: number, message: number, _other: number) =>
      bob.call(addReaction, { params: { id: message }, body: { code: '👍' } }),
    (_thread: number, _message: number, other: number) => bob.call(createThread, at(other)),
  ]
  // Each of the three in each of the five ways.
  for (let round = 0; round < (ROUNDS / 2) * acts.length; round += 1) {
    const id = await newChat(alice, { member_ids: [bob.id] })
    const say = async (content: string) =>
      (await alice.call(createMessage, { body: { message: { entity_id: id, content } } })).data.id
    const [message, other] = [await say('first'), await say('second')]
    const { data: thread } = await alice.call(createThread, at(message))
    const act = acts[round % acts.length] as Act
    await together(
      stage,
      Math.floor(round / acts.length),
      [403, 404],
      () => act(thread.id, message, other),
      () => alice.call(removeChatMember, { params: { id, user_id: bob.id } }),
    )
    const { rows } = await ctx.pool.query(
      `select 1 from chat_members m join threads t on t.chat_id = m.chat_id
       where t.message_chat_id = $1 and m.user_id = $2`,
      [id, bob.id],
    )
    assert.deepEqual(rows, [], `round ${round}`)
  }
})
