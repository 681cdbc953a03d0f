import assert from 'node:assert/strict'
import * as api from '@parley/contract'
import { laws } from '../law.js'
import { walkPages } from '../pages.js'

export const chatLaws = laws('Chats', [
  {
    id: 'CHAT-001',
    rule: 'A new chat is closed, active and no channel, belongs to its creator, and the creator is a member.',
    operations: [api.createChat],
    async run(lab) {
      const name = lab.name('new')
      const chat = await lab.newChat({ name })
      const { owner_id, channel, archived, personal } = chat
      assert.deepEqual(
        { name: chat.name, owner_id, channel, archived, personal, public: chat.public },
        { name, owner_id: lab.owner.id, channel: false, archived: false, personal: false, public: false },
      )
      assert.ok(chat.member_ids.includes(lab.owner.id), 'member_ids lacks the creator')
    },
  },
  {
    id: 'CHAT-002',
    rule: 'A chat is read as it was created.',
    operations: [api.getChat],
    async run(lab) {
      const chat = await lab.newChat({ public: true, channel: true })
      const { data } = await lab.owner.call(api.getChat, { params: { id: chat.id } })
      assert.deepEqual(data, chat)
    },
  },
  {
    id: 'CHAT-003',
    rule: 'A chat without a name is refused with 422 blank, key name; a name over 255 characters with 422 too_long.',
    operations: [api.createChat],
    async run(lab) {
      const named = (name: string) => ({ body: { chat: { name } } })
      await lab.owner.refused(api.createChat, named(' '), { status: 422, code: 'blank', key: 'name' })
      const long = { status: 422, code: 'too_long', key: 'name' }
      await lab.owner.refused(api.createChat, named('x'.repeat(256)), long)
    },
  },
  {
    id: 'CHAT-004',
    rule: 'Unknown ids among the members of a new chat are left out without an error.',
    operations: [api.createChat],
    async run(lab) {
      const chat = await lab.newChat({ member_ids: [2_147_483_000] })
      assert.deepEqual(chat.member_ids, [lab.owner.id])
    },
  },
  {
    id: 'CHAT-005',
    rule: 'A closed chat is refused with 403 to those who are not in it, to read and to write.',
    operations: [api.getChat, api.listMessages, api.createMessage, api.listChatMembers],
    async run(lab) {
      const { id } = await lab.newChat()
      const stranger = await lab.stranger()
      const closed = { status: 403, code: 'not_authorized' }
      await stranger.refused(api.getChat, { params: { id } }, closed)
      await stranger.refused(api.listMessages, { query: { chat_id: id } }, closed)
      await stranger.refused(api.listChatMembers, { params: { id } }, closed)
      const body = { message: { entity_id: id, content: 'hello' } }
      await stranger.refused(api.createMessage, { body }, closed)
    },
  },
  {
    id: 'CHAT-006',
    rule: 'An open chat is read by those who are not in it, and not written to.',
    operations: [api.getChat, api.listMessages, api.createMessage],
    async run(lab) {
      const chat = await lab.newChat({ public: true })
      const message = await lab.say({ entity_id: chat.id })
      const stranger = await lab.stranger()
      await stranger.call(api.getChat, { params: { id: chat.id } })
      const { data } = await stranger.call(api.listMessages, { query: { chat_id: chat.id } })
      assert.ok(
        data.some(({ id }) => id === message.id),
        'the message is not listed',
      )
      const body = { message: { entity_id: chat.id, content: 'hello' } }
      await stranger.refused(api.createMessage, { body }, { status: 403, code: 'not_authorized' })
    },
  },
  {
    id: 'CHAT-007',
    rule: 'Only the fields that are sent change.',
    operations: [api.updateChat, api.getChat],
    async run(lab) {
      const chat = await lab.newChat({ public: true })
      const name = lab.name('renamed')
      const { data } = await lab.owner.call(api.updateChat, {
        params: { id: chat.id },
        body: { chat: { name } },
      })
      assert.deepEqual([data.name, data.public], [name, true])
      const read = await lab.owner.call(api.getChat, { params: { id: chat.id } })
      assert.deepEqual([read.data.name, read.data.public], [name, true])
    },
  },
  {
    id: 'CHAT-008',
    rule: 'A closed chat is changed by its creator and admins alone.',
    operations: [api.updateChat, api.archiveChat],
    async run(lab) {
      const helper = await lab.helper()
      const { id } = await lab.newChat({ member_ids: [helper.id] })
      const refusal = { status: 403, code: 'not_authorized' }
      await helper.refused(api.updateChat, { params: { id }, body: { chat: { name: 'mine' } } }, refusal)
      await helper.refused(api.archiveChat, { params: { id } }, refusal)
    },
  },
  {
    id: 'CHAT-009',
    rule: 'The list of chats has those of the caller, newest first, and pages through them.',
    operations: [api.listChats],
    async run(lab) {
      const helper = await lab.helper()
      const made: number[] = []
      for (let count = 0; count < 4; count += 1)
        made.push((await lab.newChat({ member_ids: [helper.id] })).id)
      const expected = made.reverse()
      await walkPages(helper, { operation: api.listChats, expected, among: true })
    },
  },
  {
    id: 'CHAT-010',
    rule: 'order=asc turns the list of chats round.',
    operations: [api.listChats],
    async run(lab) {
      const bot = await lab.newBot()
      const made = [await lab.newChat({ member_ids: [bot.id] }), await lab.newChat({ member_ids: [bot.id] })]
      const list = async (order: 'asc' | 'desc') =>
        (await bot.call(api.listChats, { query: { sort: 'id', order } })).data.map(({ id }) => id)
      const ids = made.map(({ id }) => id)
      assert.deepEqual([await list('asc'), await list('desc')], [ids, [...ids].reverse()])
    },
  },
  {
    id: 'CHAT-011',
    rule: 'availability=public lists open chats that the caller is not in, and no closed ones.',
    operations: [api.listChats],
    async run(lab) {
      const open = await lab.newChat({ public: true })
      const closed = await lab.newChat()
      const stranger = await lab.stranger()
      const { data } = await stranger.call(api.listChats, { query: { availability: 'public' } })
      const ids = data.map(({ id }) => id)
      assert.deepEqual([ids.includes(open.id), ids.includes(closed.id)], [true, false])
    },
  },
  {
    id: 'CHAT-012',
    rule: 'An archived chat leaves the list, takes no message, member or change, and can still be read.',
    operations: [api.archiveChat, api.listChats, api.createMessage, api.addChatMembers, api.updateChat],
    async run(lab) {
      const { id } = await lab.newChat()
      await lab.owner.call(api.archiveChat, { params: { id } })
      const refusal = { status: 403, code: 'not_authorized' }
      await lab.owner.refused(
        api.createMessage,
        { body: { message: { entity_id: id, content: 'x' } } },
        refusal,
      )
      await lab.owner.refused(api.updateChat, { params: { id }, body: { chat: { name: 'x' } } }, refusal)
      const member_ids = [(await lab.helper()).id]
      await lab.owner.refused(api.addChatMembers, { params: { id }, body: { member_ids } }, refusal)
      await lab.owner.refused(api.archiveChat, { params: { id } }, refusal)
      const { data } = await lab.owner.call(api.getChat, { params: { id } })
      assert.equal(data.archived, true)
      const listed = async (archived: boolean) =>
        (await lab.owner.call(api.listChats, { query: { archived } })).data.some((chat) => chat.id === id)
      assert.deepEqual([await listed(false), await listed(true)], [false, true])
    },
  },
  {
    id: 'CHAT-013',
    rule: 'A chat that is brought back takes messages again; bringing back an active one changes nothing.',
    operations: [api.unarchiveChat, api.createMessage],
    async run(lab) {
      const { id } = await lab.newChat()
      await lab.owner.call(api.archiveChat, { params: { id } })
      await lab.owner.call(api.unarchiveChat, { params: { id } })
      await lab.owner.call(api.unarchiveChat, { params: { id } })
      await lab.say({ entity_id: id })
    },
  },
  {
    id: 'CHAT-014',
    rule: 'last_message_at is the creation at first, and moves with each message.',
    operations: [api.createChat, api.createMessage, api.getChat],
    async run(lab) {
      const chat = await lab.newChat()
      assert.equal(chat.last_message_at, chat.created_at)
      const { created_at } = await lab.say({ entity_id: chat.id })
      const { data } = await lab.owner.call(api.getChat, { params: { id: chat.id } })
      assert.equal(data.last_message_at, created_at)
    },
  },
  {
    id: 'CHAT-015',
    rule: 'A chat is marked unread by its members, and by nobody else.',
    operations: [api.markChatUnread],
    async run(lab) {
      const { id } = await lab.room()
      const message = await lab.say()
      await lab.owner.call(api.markChatUnread, { params: { id }, body: { message_id: message.id } })
      await (await lab.stranger()).refused(api.markChatUnread, { params: { id }, body: {} }, { status: 404 })
    },
  },
  {
    id: 'CHAT-016',
    rule: 'Owners of the plan read every chat of the workspace, newest first, by activity.',
    operations: [api.listCompanyChats],
    needs: ['owner'],
    async run(lab) {
      const active = await lab.newChat()
      const archived = await lab.newChat()
      await lab.owner.call(api.archiveChat, { params: { id: archived.id } })
      const ids = async (activity: 'active' | 'archived') =>
        (await lab.owner.call(api.listCompanyChats, { query: { activity } })).data.map(({ id }) => id)
      const [those, others] = [await ids('active'), await ids('archived')]
      assert.deepEqual([those[0], those.includes(archived.id)], [active.id, false])
      assert.deepEqual([others[0], others.includes(active.id)], [archived.id, false])
    },
  },
])
