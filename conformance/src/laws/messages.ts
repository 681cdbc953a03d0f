import assert from 'node:assert/strict'
import * as api from '@parley/contract'
import { laws } from '../law.js'
import { walkPages } from '../pages.js'

const UNAUTHORIZED = { status: 403, code: 'not_authorized' }

export const messageLaws = laws('Messages', [
  {
    id: 'MSG-001',
    rule: 'A message comes back as it was sent, and is read by its id as it was answered.',
    operations: [api.createMessage, api.getMessage],
    async run(lab) {
      const chat = await lab.room()
      const content = 'Text, **bold**, ünïcode 🎉 and <b>no HTML</b>'
      const sent = await lab.say({ content })
      assert.deepEqual(
        [sent.content, sent.chat_id, sent.root_chat_id, sent.entity_type, sent.entity_id, sent.user_id],
        [content, chat.id, chat.id, 'discussion', chat.id, lab.owner.id],
      )
      const { data } = await lab.owner.call(api.getMessage, { params: { id: sent.id } })
      assert.deepEqual(data, sent)
    },
  },
  {
    id: 'MSG-002',
    rule: 'A new message has no edit, deletion, thread, buttons or parent.',
    operations: [api.createMessage],
    async run(lab) {
      const { created_at, changed_at, deleted_at, thread, buttons, parent_message_id, forwarding } =
        await lab.say()
      assert.equal(changed_at, created_at)
      const rest = { deleted_at, thread, buttons, parent_message_id, forwarding }
      assert.deepEqual(Object.values(rest), [null, null, null, null, null])
    },
  },
  {
    id: 'MSG-003',
    rule: 'A message without text and files is refused with 422 blank, key content; one over 40 000 bytes with 422 too_long.',
    operations: [api.createMessage],
    async run(lab) {
      const { id } = await lab.room()
      const saying = (content: string) => ({ body: { message: { entity_id: id, content } } })
      await lab.owner.refused(api.createMessage, saying(''), { status: 422, code: 'blank', key: 'content' })
      const long = { status: 422, code: 'too_long', key: 'content' }
      await lab.owner.refused(api.createMessage, saying('x'.repeat(40_001)), long)
      await lab.owner.refused(api.createMessage, saying('ж'.repeat(20_001)), long)
      await lab.say({ content: 'x'.repeat(40_000) })
    },
  },
  {
    id: 'MSG-004',
    rule: 'A message to a chat that does not exist is 404 not_found; a kind that does not exist is 400 invalid.',
    operations: [api.createMessage],
    async run(lab) {
      const to = (entity_id: number, entity_type?: string) => ({
        body: { message: { entity_id, entity_type, content: 'x' } },
      })
      await lab.owner.refused(api.createMessage, to(2_147_483_000), { status: 404, code: 'not_found' })
      const { id } = await lab.room()
      await lab.owner.refused(api.createMessage, to(id, 'pigeon'), {
        status: 400,
        code: 'invalid',
        key: 'entity_type',
      })
      await lab.owner.call(api.createMessage, to(id, 'DISCUSSION') as never)
    },
  },
  {
    id: 'MSG-005',
    rule: 'A personal message opens one chat for the two, whichever of them writes.',
    operations: [api.createMessage],
    async run(lab) {
      const helper = await lab.helper()
      const there = await lab.say({ entity_type: 'user', entity_id: lab.owner.id }, helper)
      const back = await lab.say({ entity_type: 'user', entity_id: helper.id })
      assert.deepEqual([there.entity_type, back.entity_type, back.entity_id], ['user', 'user', helper.id])
      assert.equal(back.chat_id, there.chat_id)
      const { data } = await lab.owner.call(api.getChat, { params: { id: back.chat_id } })
      assert.deepEqual([data.personal, data.public], [true, false])
      for (const { id } of [there, back]) await lab.owner.call(api.deleteMessage, { params: { id } })
    },
  },
  {
    id: 'MSG-006',
    rule: 'Messages of a chat are listed newest first, by pages, with nothing left out or repeated.',
    operations: [api.listMessages],
    async run(lab) {
      const chat = await lab.newChat()
      const made: number[] = []
      for (let count = 0; count < 5; count += 1) made.push((await lab.say({ entity_id: chat.id })).id)
      const query = { chat_id: chat.id }
      await walkPages(lab.owner, { operation: api.listMessages, query, expected: [...made].reverse() })
      await walkPages(lab.owner, {
        operation: api.listMessages,
        query: { ...query, order: 'asc' },
        expected: made,
      })
    },
  },
  {
    id: 'MSG-007',
    rule: 'A page that was read does not change when messages come in: cursors are positions, not offsets.',
    operations: [api.listMessages],
    async run(lab) {
      const chat = await lab.newChat()
      const made: number[] = []
      const say = async () => made.push((await lab.say({ entity_id: chat.id })).id)
      for (let count = 0; count < 4; count += 1) await say()
      const list = (query: object) =>
        lab.owner.call(api.listMessages, { query: { chat_id: chat.id, limit: 2, ...query } as never })
      const first = await list({})
      await say()
      const second = await list({ cursor: first.meta.paginate.next_page })
      assert.deepEqual(
        second.data.map(({ id }) => id),
        [made[1], made[0]],
      )
      const newer = await list({ cursor: first.meta.paginate.prev_page })
      assert.deepEqual(
        newer.data.map(({ id }) => id),
        [made[4]],
      )
    },
  },
  {
    id: 'MSG-008',
    rule: 'An edit replaces the text, moves changed_at, and keeps the rest.',
    operations: [api.updateMessage, api.getMessage],
    async run(lab) {
      const sent = await lab.say()
      await lab.pass(0.02)
      const { data } = await lab.owner.call(api.updateMessage, {
        params: { id: sent.id },
        body: { message: { content: 'edited' } },
      })
      assert.deepEqual(
        [data.content, data.created_at, data.user_id],
        ['edited', sent.created_at, lab.owner.id],
      )
      assert.ok((data.changed_at ?? '') > sent.created_at, 'changed_at did not move')
      const read = await lab.owner.call(api.getMessage, { params: { id: sent.id } })
      assert.deepEqual(read.data, data)
    },
  },
  {
    id: 'MSG-009',
    rule: 'Only the author edits, and not to nothing.',
    operations: [api.updateMessage],
    async run(lab) {
      const { id } = await lab.say()
      const edit = (content: string) => ({ params: { id }, body: { message: { content } } })
      await (await lab.helper()).refused(api.updateMessage, edit('mine'), UNAUTHORIZED)
      await lab.owner.refused(api.updateMessage, edit(''), { status: 422, code: 'blank', key: 'content' })
    },
  },
  {
    id: 'MSG-010',
    rule: 'A deleted message leaves the list, and is still read by its id: without text, files and buttons, with deleted_at.',
    operations: [api.deleteMessage, api.getMessage, api.listMessages],
    async run(lab) {
      const { id, chat_id } = await lab.say()
      await lab.owner.call(api.deleteMessage, { params: { id } })
      await lab.owner.call(api.deleteMessage, { params: { id } })
      const { data } = await lab.owner.call(api.getMessage, { params: { id } })
      assert.deepEqual([data.content, data.files, data.buttons], ['', [], null])
      assert.ok(data.deleted_at, 'deleted_at is null')
      const list = await lab.owner.call(api.listMessages, { query: { chat_id } })
      assert.ok(!list.data.some((message) => message.id === id), 'it is still listed')
    },
  },
  {
    id: 'MSG-011',
    rule: 'A deleted message takes no edit and no answer: 422 message_deleted.',
    operations: [api.updateMessage, api.createMessage],
    async run(lab) {
      const { id, chat_id } = await lab.say()
      await lab.owner.call(api.deleteMessage, { params: { id } })
      const refusal = { status: 422, code: 'message_deleted' }
      await lab.owner.refused(
        api.updateMessage,
        { params: { id }, body: { message: { content: 'x' } } },
        refusal,
      )
      const answer = { message: { entity_id: chat_id, content: 'x', parent_message_id: id } }
      await lab.owner.refused(api.createMessage, { body: answer }, refusal)
    },
  },
  {
    id: 'MSG-012',
    rule: 'Members delete their own messages; of others, those who run the chat do.',
    operations: [api.deleteMessage],
    async run(lab) {
      const helper = await lab.helper()
      const own = await lab.say()
      await helper.refused(api.deleteMessage, { params: { id: own.id } }, UNAUTHORIZED)
      const theirs = await lab.say({}, helper)
      await lab.owner.call(api.deleteMessage, { params: { id: theirs.id } })
    },
  },
  {
    id: 'MSG-013',
    rule: 'An answer names its parent, which has to be in the same chat: 422 wrong_params.',
    operations: [api.createMessage],
    async run(lab) {
      const parent = await lab.say()
      const answer = await lab.say({ parent_message_id: parent.id })
      assert.equal(answer.parent_message_id, parent.id)
      const other = await lab.newChat()
      const body = { message: { entity_id: other.id, content: 'x', parent_message_id: parent.id } }
      await lab.owner.refused(api.createMessage, { body }, { status: 422, code: 'wrong_params' })
    },
  },
  {
    id: 'MSG-014',
    rule: 'A mention by id is rewritten to the nickname.',
    operations: [api.createMessage],
    async run(lab) {
      const helper = await lab.helper()
      const { data } = await helper.call(api.getProfile)
      const { content } = await lab.say({ content: `hello <@${helper.id}>` })
      assert.equal(content, `hello @${data.nickname}`)
    },
  },
  {
    id: 'MSG-015',
    rule: 'Buttons are kept as a bot sends them; without them buttons is null.',
    operations: [api.createMessage, api.updateMessage],
    async run(lab) {
      const buttons = [
        [
          { text: 'Yes', data: 'yes' },
          { text: 'Read', url: 'https://example.org/' },
        ],
      ]
      const sent = await lab.say({ buttons }, await lab.helper())
      assert.deepEqual(sent.buttons, buttons)
      const { data } = await (await lab.helper()).call(api.updateMessage, {
        params: { id: sent.id },
        body: { message: { buttons: [] } },
      })
      assert.deepEqual(data.buttons ?? [], [])
    },
  },
  {
    id: 'MSG-016',
    rule: 'A button has either an address or data, and a row at most 8 of them: 422.',
    operations: [api.createMessage],
    async run(lab) {
      const helper = await lab.helper()
      const { id } = await lab.room()
      const withButtons = (buttons: object[][]) => ({
        body: { message: { entity_id: id, content: 'x', buttons } },
      })
      const both = { text: 'x', data: 'x', url: 'https://example.org/' }
      await helper.refused(api.createMessage, withButtons([[both]]), { status: 422, code: 'wrong_params' })
      const nine = Array.from({ length: 9 }, () => ({ text: 'x', data: 'x' }))
      await helper.refused(api.createMessage, withButtons([nine]), { status: 422 })
    },
  },
  {
    id: 'MSG-017',
    rule: 'Only bots write under another name: 403.',
    operations: [api.createMessage],
    async run(lab) {
      const { id } = await lab.room()
      const message = { entity_id: id, content: 'x', display_name: 'Somebody' }
      await lab.owner.refused(api.createMessage, { body: { message } }, { status: 403 })
      const sent = await lab.say({ display_name: 'Somebody' }, await lab.helper())
      assert.equal(sent.display_name, 'Somebody')
    },
  },
  {
    id: 'MSG-018',
    rule: 'Those who read a message are listed without its author and the caller.',
    operations: [api.listReadMemberIds],
    async run(lab) {
      const helper = await lab.helper()
      const message = await lab.say()
      // Sending marks the chat read for the sender.
      await lab.say({}, helper)
      const { data } = await lab.owner.call(api.listReadMemberIds, { params: { id: message.id } })
      assert.deepEqual(data, [helper.id])
    },
  },
  {
    id: 'MSG-019',
    rule: 'Page numbers work where neither limit nor cursor is sent.',
    operations: [api.listMessages],
    async run(lab) {
      const chat = await lab.newChat()
      const made: number[] = []
      for (let count = 0; count < 3; count += 1) made.unshift((await lab.say({ entity_id: chat.id })).id)
      const page = async (number: number) =>
        (await lab.owner.call(api.listMessages, { query: { chat_id: chat.id, page: number, per: 2 } })).data
      const ids = [await page(1), await page(2), await page(3)].map((data) => data.map(({ id }) => id))
      assert.deepEqual(ids, [made.slice(0, 2), made.slice(2), []])
    },
  },
])
