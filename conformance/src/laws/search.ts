import assert from 'node:assert/strict'
import * as api from '@parley/contract'
import { laws } from '../law.js'

export const searchLaws = laws('Search', [
  {
    id: 'SEARCH-001',
    rule: 'Messages are found by a word, newest first, in chats of the caller alone, and by pages.',
    operations: [api.searchMessages],
    async run(lab) {
      const word = lab.word('needle').replaceAll('_', '')
      const chat = await lab.newChat()
      const made: number[] = []
      for (let count = 0; count < 3; count += 1)
        made.unshift((await lab.say({ entity_id: chat.id, content: `a ${word} in hay` })).id)
      const find = (query: object = {}) =>
        lab.owner.call(api.searchMessages, { query: { query: word, ...query } as never })
      const whole = await lab.eventually(find, ({ data }) => data.length >= 3)
      assert.deepEqual([whole.data.map(({ id }) => id), whole.meta.total], [made, 3])
      const first = await find({ limit: 2 })
      const second = await find({ limit: 2, cursor: first.meta.paginate.next_page })
      assert.deepEqual(
        [...first.data, ...second.data].map(({ id }) => id),
        made,
      )
      const end = await find({ limit: 2, cursor: second.meta.paginate.next_page })
      assert.deepEqual(end.data, [])
      const others = await (await lab.stranger()).call(api.searchMessages, { query: { query: word } })
      assert.deepEqual([others.data, others.meta.total], [[], 0])
    },
  },
  {
    id: 'SEARCH-002',
    rule: 'Deleted messages are not found.',
    operations: [api.searchMessages, api.deleteMessage],
    async run(lab) {
      const word = lab.word('gone').replaceAll('_', '')
      const { id } = await lab.say({ content: word })
      const find = async () =>
        (await lab.owner.call(api.searchMessages, { query: { query: word } })).data.length
      assert.equal(await lab.eventually(find, (count) => count === 1), 1)
      await lab.owner.call(api.deleteMessage, { params: { id } })
      assert.equal(await lab.eventually(find, (count) => count === 0), 0)
    },
  },
  {
    id: 'SEARCH-003',
    rule: 'Chats are found by their name: open ones by all, closed ones by their members.',
    operations: [api.searchChats],
    async run(lab) {
      const word = lab.word('place').replaceAll('_', '')
      const open = await lab.newChat({ name: `${word} open`, public: true })
      const closed = await lab.newChat({ name: `${word} closed` })
      const find = async (caller = lab.owner) =>
        (await caller.call(api.searchChats, { query: { query: word } })).data.map(({ id }) => id).sort()
      const own = await lab.eventually(find, (ids) => ids.length === 2)
      assert.deepEqual(own, [open.id, closed.id].sort())
      assert.deepEqual(await find(await lab.stranger()), [open.id])
    },
  },
  {
    id: 'SEARCH-004',
    rule: 'People are found by their name, and bots that are not public are not.',
    operations: [api.searchUsers],
    async run(lab) {
      const me = (await lab.owner.call(api.getProfile)).data
      const { data } = await lab.owner.call(api.searchUsers, { query: { query: me.nickname } })
      assert.ok(
        data.some(({ id }) => id === me.id),
        'the caller is not found by the nickname',
      )
      const bot = (await (await lab.helper()).call(api.getProfile)).data
      const found = await (await lab.stranger()).call(api.searchUsers, { query: { query: bot.nickname } })
      assert.ok(!found.data.some(({ id }) => id === bot.id), 'a bot that is not public is found')
    },
  },
])
