import assert from 'node:assert/strict'
import * as api from '@parley/contract'
import { laws } from '../law.js'
import { walkPages } from '../pages.js'

export const botLaws = laws('Bots', [
  {
    id: 'BOT-001',
    rule: 'A new bot has a token that works, listens for new messages by command, and shows no token when it is read.',
    operations: [api.createBot, api.getBot, api.getTokenInfo],
    needs: ['bots'],
    async run(lab) {
      const bot = await lab.newBot()
      await bot.call(api.getTokenInfo)
      const { data } = await lab.owner.call(api.getBot, { params: { id: bot.id } })
      const { events, trigger_on, commands, outgoing_url } = data.webhook
      assert.deepEqual([events, trigger_on, commands, outgoing_url], [['message_new'], 'commands', [], ''])
      assert.ok(!('access_token' in data), 'a read shows the token')
    },
  },
  {
    id: 'BOT-002',
    rule: 'A nickname ends in _bot (400 invalid) and is of one bot (400 already_exists), both with the key nickname.',
    operations: [api.createBot, api.updateBot],
    needs: ['bots'],
    async run(lab) {
      const nickname = `${lab.word('nick')}_bot`
      await lab.newBot({ nickname })
      const named = (given: string) => ({ body: { webhook: { name: 'x', nickname: given } } })
      await lab.owner.refused(api.createBot, named('robot'), {
        status: 400,
        code: 'invalid',
        key: 'nickname',
      })
      await lab.owner.refused(api.createBot, named(nickname), {
        status: 400,
        code: 'already_exists',
        key: 'nickname',
      })
      const { id } = await lab.stranger()
      const change = { params: { id }, body: { webhook: { nickname } } }
      await lab.owner.refused(api.updateBot, change, { status: 422, code: 'already_exists', key: 'nickname' })
    },
  },
  {
    id: 'BOT-003',
    rule: 'Only the fields that are sent change, lists as a whole; single_chat is not changed.',
    operations: [api.updateBot],
    needs: ['bots'],
    async run(lab) {
      const { id } = await lab.newBot({ commands: ['/a', '/b'], events: ['message_new', 'reaction_new'] })
      const webhook = { commands: ['/c'], single_chat: true }
      const { data } = await lab.owner.call(api.updateBot, { params: { id }, body: { webhook } })
      const { commands, events, single_chat } = data.webhook
      assert.deepEqual([commands, events, single_chat], [['/c'], ['message_new', 'reaction_new'], false])
    },
  },
  {
    id: 'BOT-004',
    rule: 'Unknown events and modes are refused with 400 inclusion; an address that is none with invalid_webhook_url.',
    operations: [api.createBot, api.updateBot],
    needs: ['bots'],
    async run(lab) {
      const { id } = await lab.stranger()
      const change = (webhook: object) => ({ params: { id }, body: { webhook } })
      await lab.owner.refused(api.updateBot, change({ events: ['sunrise'] }), {
        status: 400,
        code: 'inclusion',
      })
      await lab.owner.refused(api.updateBot, change({ trigger_on: 'never' }), {
        status: 400,
        code: 'inclusion',
      })
      const url = { status: 422, code: 'invalid_webhook_url', key: 'outgoing_url' }
      await lab.owner.refused(api.updateBot, change({ outgoing_url: 'nowhere' }), url)
    },
  },
  {
    id: 'BOT-005',
    rule: 'A deleted bot is gone, and so are its tokens.',
    operations: [api.deleteBot, api.getBot],
    needs: ['bots'],
    async run(lab) {
      const bot = await lab.newBot()
      await lab.owner.call(api.deleteBot, { params: { id: bot.id } })
      await bot.refused(api.getTokenInfo, {}, { status: 401 })
      await lab.owner.refused(api.getBot, { params: { id: bot.id } }, { status: 404 })
    },
  },
  {
    id: 'BOT-006',
    rule: 'A token is shown whole when it is issued and masked ever after, and is listed by pages.',
    operations: [api.issueBotToken, api.listBotTokens],
    needs: ['bots'],
    async run(lab) {
      const { id } = await lab.newBot()
      const issue = (name: string) => lab.owner.call(api.issueBotToken, { params: { id }, body: { name } })
      const { data } = await issue('one')
      await lab.as(id, data.token).call(api.getTokenInfo)
      await issue('two')
      const list = await lab.owner.call(api.listBotTokens, { params: { id } })
      const shown = list.data.find((token) => token.id === data.id)
      assert.equal(shown?.token, `${data.token.slice(0, 8)}...${data.token.slice(-4)}`)
      const expected = list.data.map((token) => token.id)
      assert.equal(expected.length, 3)
      await walkPages(lab.owner, { operation: api.listBotTokens, params: { id }, expected })
    },
  },
  {
    id: 'BOT-007',
    rule: 'A token without scopes has none; changed scopes hold at once.',
    operations: [api.issueBotToken, api.updateBotToken, api.getProfile, api.listChats],
    needs: ['bots'],
    async run(lab) {
      const { id } = await lab.newBot()
      const { data } = await lab.owner.call(api.issueBotToken, { params: { id }, body: { name: 'some' } })
      assert.deepEqual(data.scopes, [])
      const caller = lab.as(id, data.token)
      await caller.refused(api.listChats, {}, { status: 403 })
      await lab.owner.call(api.updateBotToken, {
        params: { id, token_id: data.id },
        body: { scopes: ['chats:read'] },
      })
      await caller.call(api.listChats)
    },
  },
  {
    id: 'BOT-008',
    rule: 'A scope that bots may not hold is refused with 400.',
    operations: [api.issueBotToken],
    needs: ['bots'],
    async run(lab) {
      const { id } = await lab.stranger()
      const body = { name: 'x', scopes: ['drafts:read'] }
      await lab.owner.refused(api.issueBotToken, { params: { id }, body }, { status: 400 })
    },
  },
  {
    id: 'BOT-009',
    rule: 'A reissued token keeps its name and scopes; the old value is dead, and so is a revoked one.',
    operations: [api.reissueBotToken, api.revokeBotToken],
    needs: ['bots'],
    async run(lab) {
      const { id } = await lab.newBot()
      const body = { name: 'kept', scopes: ['chats:read'] }
      const { data } = await lab.owner.call(api.issueBotToken, { params: { id }, body })
      const params = { id, token_id: data.id }
      const again = (await lab.owner.call(api.reissueBotToken, { params })).data
      assert.deepEqual([again.name, again.scopes], [body.name, body.scopes])
      await lab.as(id, data.token).refused(api.getTokenInfo, {}, { status: 401 })
      await lab.as(id, again.token).call(api.listChats)
      await lab.owner.call(api.revokeBotToken, { params: { id, token_id: again.id } })
      await lab.as(id, again.token).refused(api.getTokenInfo, {}, { status: 401 })
    },
  },
  {
    id: 'BOT-010',
    rule: 'A bot replaces the token that it calls with; the old one is dead.',
    operations: [api.rotateOwnToken, api.rotateBotToken],
    needs: ['bots'],
    async run(lab) {
      const bot = await lab.newBot()
      const { data } = await bot.call(api.rotateOwnToken)
      await bot.refused(api.getTokenInfo, {}, { status: 401 })
      const fresh = lab.as(bot.id, data.access_token)
      await fresh.call(api.getTokenInfo)
      await lab.owner.call(api.rotateBotToken, { params: { id: bot.id } })
      await fresh.refused(api.getTokenInfo, {}, { status: 401 })
    },
  },
  {
    id: 'BOT-011',
    rule: 'Bots are listed to those who may change them, by pages, and found by a part of the name.',
    operations: [api.listBots],
    needs: ['bots'],
    async run(lab) {
      const name = lab.name('found')
      const made: number[] = []
      for (let count = 0; count < 3; count += 1)
        made.push((await lab.newBot({ name: `${name} ${count}` })).id)
      const { data } = await lab.owner.call(api.listBots, { query: { query: name } })
      const expected = data.map(({ id }) => id)
      assert.deepEqual([...expected].sort(), [...made].sort())
      await walkPages(lab.owner, { operation: api.listBots, query: { query: name }, expected })
    },
  },
  {
    id: 'BOT-012',
    rule: 'The scopes that a bot may hold are answered bare, with groups and presets.',
    operations: [api.listBotScopes],
    needs: ['bots'],
    async run(lab) {
      const { id } = await lab.stranger()
      const { scopes } = await lab.owner.call(api.listBotScopes, { params: { id } })
      const ids: readonly string[] = scopes.map((scope) => scope.id)
      assert.deepEqual([ids.includes('messages:create'), ids.includes('drafts:read')], [true, false])
    },
  },
  {
    id: 'BOT-013',
    rule: 'A bot for one chat is in one: the second is refused with 409 single_chat_bot_occupied, which names it.',
    operations: [api.createChat, api.addChatMembers],
    needs: ['bots'],
    async run(lab) {
      const bot = await lab.newBot({ single_chat: true })
      await lab.newChat({ member_ids: [bot.id] })
      const { id } = await lab.newChat()
      const refusal = { status: 409, code: 'single_chat_bot_occupied' }
      const body = { member_ids: [bot.id] }
      const answer = await lab.owner.refused(api.addChatMembers, { params: { id }, body }, refusal)
      assert.match(answer.text, new RegExp(String(bot.id)))
    },
  },
  {
    id: 'BOT-014',
    rule: 'Owners of the plan list every bot of the workspace.',
    operations: [api.listCompanyBots],
    needs: ['owner', 'bots'],
    async run(lab) {
      const name = lab.name('company')
      const { id } = await lab.newBot({ name })
      const { data } = await lab.owner.call(api.listCompanyBots, { query: { query: name } })
      assert.deepEqual(
        data.map((bot) => bot.id),
        [id],
      )
    },
  },
])
