import assert from 'node:assert/strict'
import * as api from '@parley/contract'
import { laws } from '../law.js'

export const additionLaws = laws('Additions', [
  {
    id: 'READ-001',
    level: 'additions',
    rule: 'Messages of others are unread until the chat is read.',
    operations: [api.listUnread, api.markChatRead, api.markAllRead],
    async run(lab) {
      const helper = await lab.helper()
      const chat = await lab.newChat({ member_ids: [helper.id] })
      const message = await lab.say({ entity_id: chat.id }, helper)
      const find = async () =>
        (await lab.owner.call(api.listUnread)).data.find(({ chat_id }) => chat_id === chat.id)
      assert.equal((await lab.eventually(find, (one) => one !== undefined))?.unread_count, 1)
      await lab.owner.call(api.markChatRead, { params: { id: chat.id }, body: { message_id: message.id } })
      const unread = await lab.eventually(find, (one) => !one?.unread_count)
      assert.equal(unread?.unread_count ?? 0, 0)
    },
  },
  {
    id: 'READ-002',
    level: 'additions',
    rule: 'A mention of the caller is listed among the mentions.',
    operations: [api.listMentions],
    async run(lab) {
      const { id } = await lab.say({ content: `<@${lab.owner.id}> look` }, await lab.helper())
      const list = async () => (await lab.owner.call(api.listMentions)).data.map((one) => JSON.stringify(one))
      const found = await lab.eventually(list, ([first]) => first?.includes(String(id)) ?? false)
      assert.ok(found[0]?.includes(String(id)), 'the mention is not the first')
    },
  },
  {
    id: 'FORWARD-001',
    level: 'additions',
    rule: 'A forwarded message names the original and its author, and cannot be edited.',
    operations: [api.forwardMessage, api.updateMessage],
    async run(lab) {
      const original = await lab.say({}, await lab.helper())
      const chat = await lab.newChat()
      const { data } = await lab.owner.call(api.forwardMessage, {
        params: { id: original.id },
        body: { entity_id: chat.id },
      })
      const { original_message_id, author_id } = data.forwarding ?? {}
      assert.deepEqual(
        [original_message_id, author_id, data.content],
        [original.id, original.user_id, original.content],
      )
      const edit = { params: { id: data.id }, body: { message: { content: 'x' } } }
      await lab.owner.refused(api.updateMessage, edit, { status: 403 })
    },
  },
  {
    id: 'ENDPOINT-001',
    level: 'additions',
    rule: 'A bot has named endpoints beside its address; their secret is shown once.',
    operations: [
      api.createEndpoint,
      api.listEndpoints,
      api.getEndpoint,
      api.updateEndpoint,
      api.deleteEndpoint,
    ],
    needs: ['bots'],
    async run(lab) {
      const { id } = await lab.newBot()
      const body = { name: 'archive', url: 'https://example.org/hook' }
      const { data } = await lab.owner.call(api.createEndpoint, { params: { id }, body })
      assert.match(data.signing_secret ?? '', /^whsec_/, 'the secret is not shown when the endpoint is made')
      const params = { id, endpoint_id: data.id }
      const read = await lab.owner.send(api.getEndpoint, { params })
      assert.ok(!read.text.includes('signing_secret'), 'a read shows the secret')
      const { data: list } = await lab.owner.call(api.listEndpoints, { params: { id } })
      assert.ok(
        list.some((one) => one.id === data.id),
        'it is not listed',
      )
      const again = await lab.owner.send(api.createEndpoint, { params: { id }, body })
      assert.equal(again.status, 422, 'two endpoints have one name')
      await lab.owner.call(api.updateEndpoint, { params, body: { disabled: true } })
      await lab.owner.call(api.deleteEndpoint, { params })
      await lab.owner.refused(api.getEndpoint, { params }, { status: 404 })
    },
  },
  {
    id: 'LEASH-001',
    level: 'additions',
    rule: 'A token that is for reading alone writes nothing: 403.',
    operations: [api.issueBotToken, api.createMessage],
    needs: ['bots'],
    async run(lab) {
      const helper = await lab.helper()
      const chat = await lab.room()
      const scopes = ['messages:read', 'messages:create']
      const { data } = await lab.owner.call(api.issueBotToken, {
        params: { id: helper.id },
        body: { name: lab.name('reader'), scopes, limits: { read_only: true } },
      })
      const reader = lab.as(helper.id, data.token)
      await reader.call(api.listMessages, { query: { chat_id: chat.id } })
      const body = { message: { entity_id: chat.id, content: 'x' } }
      await reader.refused(api.createMessage, { body }, { status: 403, code: 'not_authorized' })
    },
  },
  {
    id: 'LEASH-002',
    level: 'additions',
    rule: 'Chats outside the limits of a token do not exist for it: 404, and no place in lists.',
    operations: [api.issueBotToken, api.getChat, api.listChats],
    needs: ['bots'],
    async run(lab) {
      const helper = await lab.helper()
      const [inside, outside] = [await lab.room(), await lab.newChat({ member_ids: [helper.id] })]
      const { data } = await lab.owner.call(api.issueBotToken, {
        params: { id: helper.id },
        body: { name: lab.name('leash'), scopes: ['chats:read'], limits: { chat_ids: [inside.id] } },
      })
      const leashed = lab.as(helper.id, data.token)
      await leashed.call(api.getChat, { params: { id: inside.id } })
      await leashed.refused(api.getChat, { params: { id: outside.id } }, { status: 404 })
      const list = await leashed.call(api.listChats)
      assert.deepEqual(
        list.data.map(({ id }) => id),
        [inside.id],
      )
    },
  },
  {
    id: 'AUDIT-001',
    rule: 'The owner reads in the audit log who did what, newest first.',
    operations: [api.listAuditEvents],
    needs: ['owner', 'admin'],
    async run(lab) {
      const tag = await lab.newTag()
      const list = async () => (await lab.owner.call(api.listAuditEvents, { query: { limit: 10 } })).data
      const made = (events: readonly { event_key: string; details: unknown }[]) =>
        events.some(
          ({ event_key, details }) =>
            event_key === 'tag_created' && JSON.stringify(details).includes(tag.name),
        )
      const events = await lab.eventually(list, made)
      assert.ok(made(events), 'the new tag is not in the log')
      const times = events.map(({ created_at }) => created_at)
      assert.deepEqual(times, [...times].sort().reverse())
    },
  },
])
