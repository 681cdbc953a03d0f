import assert from 'node:assert/strict'
import * as api from '@parley/contract'
import type { Lab } from '../lab.js'
import { laws } from '../law.js'
import { walkPages } from '../pages.js'

async function newThread(lab: Lab) {
  const parent = await lab.say()
  const { data } = await lab.owner.call(api.createThread, { params: { id: parent.id } })
  return { parent, thread: data }
}

const inThread = (id: number) => ({ entity_type: 'thread' as const, entity_id: id })

export const threadLaws = laws('Threads', [
  {
    id: 'THREAD-001',
    rule: 'A thread names its message and chat, and the message names the thread.',
    operations: [api.createThread, api.getThread, api.getMessage],
    async run(lab) {
      const { parent, thread } = await newThread(lab)
      assert.deepEqual([thread.message_id, thread.message_chat_id], [parent.id, parent.chat_id])
      const read = await lab.owner.call(api.getThread, { params: { id: thread.id } })
      assert.deepEqual(read.data, thread)
      const { data } = await lab.owner.call(api.getMessage, { params: { id: parent.id } })
      assert.deepEqual(data.thread, { id: thread.id, chat_id: thread.chat_id })
    },
  },
  {
    id: 'THREAD-002',
    rule: 'A message has one thread: asked for again, the same one comes.',
    operations: [api.createThread],
    async run(lab) {
      const { parent, thread } = await newThread(lab)
      const { data } = await lab.owner.call(api.createThread, { params: { id: parent.id } })
      assert.equal(data.id, thread.id)
    },
  },
  {
    id: 'THREAD-003',
    rule: 'A message in a thread is of the thread and its chat, with the chat above as root; it has no thread itself: 400 thread_message.',
    operations: [api.createMessage, api.createThread],
    async run(lab) {
      const { parent, thread } = await newThread(lab)
      const said = await lab.say(inThread(thread.id))
      assert.deepEqual(
        [said.entity_type, said.entity_id, said.chat_id, said.root_chat_id, said.thread],
        ['thread', thread.id, thread.chat_id, parent.chat_id, null],
      )
      await lab.owner.refused(
        api.createThread,
        { params: { id: said.id } },
        { status: 400, code: 'thread_message' },
      )
    },
  },
  {
    id: 'THREAD-004',
    rule: 'A thread moves up with a message in it, and not with an edit.',
    operations: [api.createMessage, api.updateMessage, api.getThread],
    async run(lab) {
      const { thread } = await newThread(lab)
      await lab.pass(0.02)
      const said = await lab.say(inThread(thread.id))
      const updated = async () =>
        (await lab.owner.call(api.getThread, { params: { id: thread.id } })).data.updated_at
      const after = await updated()
      assert.ok(after > thread.updated_at, 'updated_at did not move')
      await lab.pass(0.02)
      await lab.owner.call(api.updateMessage, {
        params: { id: said.id },
        body: { message: { content: 'x' } },
      })
      assert.equal(await updated(), after)
    },
  },
  {
    id: 'THREAD-005',
    rule: 'A deleted message gets no thread: 404 message_deleted.',
    operations: [api.createThread],
    async run(lab) {
      const { id } = await lab.say()
      await lab.owner.call(api.deleteMessage, { params: { id } })
      await lab.owner.refused(api.createThread, { params: { id } }, { status: 404, code: 'message_deleted' })
    },
  },
  {
    id: 'THREAD-006',
    rule: 'A thread of a closed chat is refused with 403 to those who are in neither.',
    operations: [api.getThread, api.createMessage],
    async run(lab) {
      const { thread } = await newThread(lab)
      const stranger = await lab.stranger()
      await stranger.refused(api.getThread, { params: { id: thread.id } }, { status: 403 })
      const body = { message: { ...inThread(thread.id), content: 'x' } }
      await stranger.refused(api.createMessage, { body }, { status: 403 })
    },
  },
  {
    id: 'THREAD-007',
    rule: 'A thread of its own hangs on no message.',
    operations: [api.createStandaloneThread],
    async run(lab) {
      const { data } = await lab.owner.call(api.createStandaloneThread)
      assert.deepEqual([data.message_id, data.message_chat_id], [null, null])
      await lab.say(inThread(data.id))
    },
  },
  {
    id: 'THREAD-008',
    rule: 'Threads are listed by their last activity, newest first, by pages.',
    operations: [api.listThreads],
    async run(lab) {
      const bot = await lab.newBot()
      const chat = await lab.newChat({ member_ids: [bot.id] })
      const made: number[] = []
      for (let count = 0; count < 4; count += 1) {
        const { id } = await lab.say({ entity_id: chat.id })
        await lab.pass(0.01)
        made.unshift((await lab.owner.call(api.createThread, { params: { id } })).data.id)
      }
      await walkPages(bot, { operation: api.listThreads, expected: made })
      const oldest = made.at(-1) as number
      await lab.pass(0.01)
      await lab.say(inThread(oldest))
      const { data } = await bot.call(api.listThreads)
      assert.equal(data[0]?.id, oldest)
    },
  },
  {
    id: 'THREAD-009',
    rule: 'Archiving a chat closes it for new threads and leaves those that are there open.',
    operations: [api.createThread, api.archiveChat, api.createMessage],
    async run(lab) {
      const chat = await lab.newChat()
      const [one, other] = [await lab.say({ entity_id: chat.id }), await lab.say({ entity_id: chat.id })]
      const { data } = await lab.owner.call(api.createThread, { params: { id: one.id } })
      await lab.owner.call(api.archiveChat, { params: { id: chat.id } })
      await lab.owner.refused(api.createThread, { params: { id: other.id } }, { status: 403 })
      await lab.say(inThread(data.id))
    },
  },
])
