import assert from 'node:assert/strict'
import * as api from '@parley/contract'
import type { Lab } from '../lab.js'
import { laws } from '../law.js'
import { walkPages } from '../pages.js'

async function membersOf(lab: Lab, id: number): Promise<number[]> {
  return (await lab.owner.call(api.getChat, { params: { id } })).data.member_ids
}

async function withHelper(lab: Lab) {
  const helper = await lab.helper()
  return { helper, chat: await lab.newChat({ member_ids: [helper.id] }) }
}

export const memberLaws = laws('Chat members', [
  {
    id: 'MEMBER-001',
    rule: 'Added people are members at once; adding them again changes nothing.',
    operations: [api.addChatMembers, api.getChat],
    async run(lab) {
      const { id } = await lab.newChat()
      const helper = await lab.helper()
      const body = { member_ids: [helper.id] }
      await lab.owner.call(api.addChatMembers, { params: { id }, body })
      await lab.owner.call(api.addChatMembers, { params: { id }, body })
      const found = (await membersOf(lab, id)).filter((one) => one === helper.id)
      assert.deepEqual(found, [helper.id])
      await helper.call(api.getChat, { params: { id } })
    },
  },
  {
    id: 'MEMBER-002',
    rule: 'One unknown id stops the whole request with 404 not_found, which names it; nobody is added.',
    operations: [api.addChatMembers, api.getChat],
    async run(lab) {
      const { id } = await lab.newChat()
      const helper = await lab.helper()
      const body = { member_ids: [helper.id, 2_147_483_000] }
      const answer = await lab.owner.refused(
        api.addChatMembers,
        { params: { id }, body },
        {
          status: 404,
          code: 'not_found',
        },
      )
      assert.match(answer.text, /2147483000/)
      assert.ok(!(await membersOf(lab, id)).includes(helper.id), 'somebody was added')
    },
  },
  {
    id: 'MEMBER-003',
    rule: 'Adding nobody is refused with 422 blank, key member_ids.',
    operations: [api.addChatMembers],
    async run(lab) {
      const { id } = await lab.room()
      const refusal = { status: 422, code: 'blank', key: 'member_ids' }
      await lab.owner.refused(api.addChatMembers, { params: { id }, body: { member_ids: [] } }, refusal)
    },
  },
  {
    id: 'MEMBER-004',
    rule: 'Whoever is removed loses a closed chat.',
    operations: [api.removeChatMember, api.getChat],
    async run(lab) {
      const { helper, chat } = await withHelper(lab)
      await lab.owner.call(api.removeChatMember, { params: { id: chat.id, user_id: helper.id } })
      assert.ok(!(await membersOf(lab, chat.id)).includes(helper.id), 'is still a member')
      await helper.refused(api.getChat, { params: { id: chat.id } }, { status: 403 })
      const again = { params: { id: chat.id, user_id: helper.id } }
      await lab.owner.refused(api.removeChatMember, again, { status: 404, code: 'not_found' })
    },
  },
  {
    id: 'MEMBER-005',
    rule: 'Plain members remove nobody, and nobody removes the creator.',
    operations: [api.removeChatMember],
    async run(lab) {
      const { helper, chat } = await withHelper(lab)
      const creator = { params: { id: chat.id, user_id: lab.owner.id } }
      await helper.refused(api.removeChatMember, creator, { status: 403 })
      const role = { params: { id: chat.id, user_id: helper.id }, body: { role: 'admin' as const } }
      await lab.owner.call(api.setChatMemberRole, role)
      await helper.refused(api.removeChatMember, creator, { status: 403, code: 'cannot_kick_owner' })
    },
  },
  {
    id: 'MEMBER-006',
    rule: 'An admin of a chat changes it; the same role again is refused with 422 already_assigned.',
    operations: [api.setChatMemberRole, api.updateChat],
    async run(lab) {
      const { helper, chat } = await withHelper(lab)
      const input = { params: { id: chat.id, user_id: helper.id }, body: { role: 'admin' as const } }
      await lab.owner.call(api.setChatMemberRole, input)
      await helper.call(api.updateChat, {
        params: { id: chat.id },
        body: { chat: { name: lab.name('theirs') } },
      })
      await lab.owner.refused(api.setChatMemberRole, input, { status: 422, code: 'already_assigned' })
    },
  },
  {
    id: 'MEMBER-007',
    rule: 'The own role and that of the creator cannot be changed, editors are of channels alone, and other words are no roles.',
    operations: [api.setChatMemberRole],
    async run(lab) {
      const { helper, chat } = await withHelper(lab)
      const set = (user_id: number, role: string) => ({ params: { id: chat.id, user_id }, body: { role } })
      await lab.owner.refused(api.setChatMemberRole, set(lab.owner.id, 'member'), {
        status: 422,
        code: 'self_update',
      })
      await lab.owner.refused(api.setChatMemberRole, set(helper.id, 'editor'), {
        status: 422,
        code: 'not_applicable',
      })
      await lab.owner.refused(api.setChatMemberRole, set(helper.id, 'king'), {
        status: 400,
        code: 'inclusion',
        key: 'role',
      })
      await lab.owner.call(api.setChatMemberRole, set(helper.id, 'admin') as never)
      await helper.refused(api.setChatMemberRole, set(lab.owner.id, 'member'), {
        status: 422,
        code: 'owner_protected',
      })
    },
  },
  {
    id: 'MEMBER-008',
    rule: 'Whoever leaves is no member any more; leaving a chat that one is not in is 404.',
    operations: [api.leaveChat],
    async run(lab) {
      const { helper, chat } = await withHelper(lab)
      await helper.call(api.leaveChat, { params: { id: chat.id } })
      assert.ok(!(await membersOf(lab, chat.id)).includes(helper.id), 'is still a member')
      await helper.refused(api.leaveChat, { params: { id: chat.id } }, { status: 404 })
    },
  },
  {
    id: 'MEMBER-009',
    rule: 'The members of a chat are listed each once, by pages.',
    operations: [api.listChatMembers],
    async run(lab) {
      const bots = [await lab.helper(), await lab.stranger(), await lab.newBot(), await lab.newBot()]
      const chat = await lab.newChat({ member_ids: bots.map(({ id }) => id) })
      const whole = await lab.owner.call(api.listChatMembers, { params: { id: chat.id } })
      const expected = whole.data.map(({ id }) => id)
      assert.deepEqual([...expected].sort(), [lab.owner.id, ...bots.map(({ id }) => id)].sort())
      await walkPages(lab.owner, { operation: api.listChatMembers, params: { id: chat.id }, expected })
    },
  },
  {
    id: 'MEMBER-010',
    rule: 'role filters the members of a chat by their role in it.',
    operations: [api.listChatMembers],
    async run(lab) {
      const { helper, chat } = await withHelper(lab)
      const list = async (role: 'owner' | 'admin' | 'member') =>
        (await lab.owner.call(api.listChatMembers, { params: { id: chat.id }, query: { role } })).data.map(
          ({ id }) => id,
        )
      assert.deepEqual([await list('owner'), await list('member')], [[lab.owner.id], [helper.id]])
      await lab.owner.call(api.setChatMemberRole, {
        params: { id: chat.id, user_id: helper.id },
        body: { role: 'admin' },
      })
      const admins = await list('admin')
      assert.ok(admins.includes(helper.id), 'the admin is not listed as one')
    },
  },
  {
    id: 'MEMBER-011',
    rule: 'A bot that its creator keeps to himself is added by nobody else: 403 bot_add_denied, which names it.',
    operations: [api.addChatMembers],
    async run(lab) {
      const stranger = await lab.stranger()
      const helper = await lab.helper()
      const { id } = await lab.room()
      const body = { member_ids: [stranger.id] }
      const answer = await helper.refused(
        api.addChatMembers,
        { params: { id }, body },
        {
          status: 403,
          code: 'bot_add_denied',
        },
      )
      assert.match(answer.text, new RegExp(String(stranger.id)))
    },
  },
])
