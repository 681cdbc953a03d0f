import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as api from '@parley/contract'
import { type Explanation, RULE_IDS, RULES } from '@parley/contract'
import { ApiFailure } from '@parley/sdk/contract'
import { type World, world } from '../testing/world.js'

async function refusalOf(call: Promise<unknown>): Promise<ApiFailure> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ApiFailure, 'refused')
  return error
}

const explanationOf = async (call: Promise<unknown>) =>
  ((await refusalOf(call)).body as { explanation?: Explanation }).explanation

const saying = (entity_id: number, content = 'hello') => ({ body: { message: { entity_id, content } } })

/** Calls that break one rule each. */
async function breakRules(scene: World): Promise<[api.RuleId, () => Promise<unknown>][]> {
  const { owner, admin, alice, bob, mia, bot, office, attic, news, ctx } = scene
  const session = await scene.as(alice.id, { session: true })
  const ownerSession = await scene.as(owner.id, { session: true })
  const bare = await scene.as(alice.id, { scopes: [] })
  const { data: said } = await alice.call(api.createMessage, saying(office.id))
  const { data: copy } = await alice.call(api.forwardMessage, {
    params: { id: said.id },
    body: { entity_id: office.id },
  })
  const { data: closed } = await alice.call(api.createChat, { body: { chat: { name: 'closed' } } })
  const { data: thread } = await alice.call(api.createThread, { params: { id: said.id } })
  const { data: reply } = await alice.call(api.createMessage, {
    body: { message: { entity_type: 'thread', entity_id: thread.id, content: 'reply' } },
  })
  const { data: personal } = await alice.call(api.createMessage, {
    body: { message: { entity_type: 'user', entity_id: bob.id, content: 'psst' } },
  })
  const { data: task } = await alice.call(api.createTask, {
    body: { task: { kind: 'call', content: 'ring' } },
  })
  await alice.call(api.addChatMembers, { params: { id: news.id }, body: { member_ids: [bob.id] } })
  const system = await ctx.db
    .selectFrom('messages')
    .select('id')
    .where('chat_id', '=', news.id)
    .where('system', 'is not', null)
    .executeTakeFirst()
  const { data: tag } = await owner.call(api.createGroupTag, { body: { group_tag: { name: 'team' } } })
  await owner.call(api.updateUser, { params: { id: bob.id }, body: { user: { list_tags: ['team'] } } })
  const { data: tagged } = await alice.call(api.createChat, {
    body: { chat: { name: 'tagged', group_tag_ids: [tag.id] } },
  })
  const { data: other } = await alice.call(api.createBot, {
    body: { webhook: { name: 'Clerk', can_edit: ['chat_owners'] } },
  })
  const suspended = await scene.person({ nickname: 'gone', suspended: true })
  return [
    ['token.scope', () => bare.call(api.listChats)],
    [
      'token.scope_role',
      async () => {
        const wide = await scene.as(alice.id, { scopes: ['audit_events:read'] })
        return wide.call(api.listAuditEvents)
      },
    ],
    ['token.session', () => alice.call(api.listPersonalTokens)],
    ['operation.role', () => session.call(api.listDlpRules)],
    ['person.active', () => suspended.call(api.getTokenInfo)],
    ['chat.read.member', () => bob.call(api.getChat, { params: { id: closed.id } })],
    ['chat.write.member', () => bob.call(api.createMessage, saying(closed.id))],
    ['chat.write.channel_role', () => bob.call(api.createMessage, saying(news.id))],
    ['chat.archived', () => alice.call(api.createMessage, saying(attic.id))],
    ['chat.archive.once', () => alice.call(api.archiveChat, { params: { id: attic.id } })],
    [
      'chat.group',
      () => alice.call(api.updateChat, { params: { id: personal.chat_id }, body: { chat: { name: 'x' } } }),
    ],
    ['chat.manage', () => bob.call(api.archiveChat, { params: { id: office.id } })],
    ['chat.pin.thread', () => alice.call(api.pinMessage, { params: { id: reply.id } })],
    [
      'chat.members.personal',
      () => alice.call(api.removeChatMember, { params: { id: personal.chat_id, user_id: bob.id } }),
    ],
    ['chat.leave.tag', () => bob.call(api.leaveChat, { params: { id: tagged.id } })],
    [
      'chat.creator',
      () => alice.call(api.removeChatMember, { params: { id: office.id, user_id: alice.id } }),
    ],
    ['message.system', () => alice.call(api.deleteMessage, { params: { id: system?.id ?? 0 } })],
    [
      'message.edit.author',
      () => bob.call(api.updateMessage, { params: { id: said.id }, body: { message: { content: 'x' } } }),
    ],
    [
      'message.edit.forwarded',
      () => alice.call(api.updateMessage, { params: { id: copy.id }, body: { message: { content: 'x' } } }),
    ],
    ['message.delete.others', () => bob.call(api.deleteMessage, { params: { id: said.id } })],
    [
      'message.bot_fields',
      () =>
        alice.call(api.createMessage, {
          body: { message: { entity_id: office.id, content: 'x', display_name: 'Y' } },
        }),
    ],
    ['task.read', () => mia.call(api.getTask, { params: { id: task.id } })],
    [
      'task.change',
      () => mia.call(api.updateTask, { params: { id: task.id }, body: { task: { status: 'done' } } }),
    ],
    [
      'task.link',
      () => bob.call(api.createTask, { body: { task: { kind: 'call', content: 'x', chat_id: closed.id } } }),
    ],
    ['bot.edit', () => bob.call(api.getBot, { params: { id: other.id } })],
    ['bot.manage', () => bob.call(api.deleteBot, { params: { id: other.id } })],
    [
      'bot.links',
      () =>
        alice.call(api.updateBot, {
          params: { id: other.id },
          body: { webhook: { unfurl_domains: ['a.example.org'] } },
        }),
    ],
    [
      'bot.unfurl',
      () => bot.call(api.createLinkPreviews, { params: { id: said.id }, body: { link_previews: {} } }),
    ],
    ['user.owner', () => admin.call(api.deleteUser, { params: { id: owner.id } })],
    ['user.self', () => admin.call(api.deleteUser, { params: { id: admin.id } })],
    ['user.delete.bot', () => admin.call(api.deleteUser, { params: { id: bot.id } })],
    ['visible', () => alice.call(api.getMessage, { params: { id: 999_999 } })],
    ['input.missing', () => alice.call(api.createMessage, saying(office.id, ''))],
    ['input.words', () => alice.call(api.createTask, { body: { task: { kind: 'nap' as never } } })],
    ['input.length', () => alice.call(api.createChat, { body: { chat: { name: 'x'.repeat(300) } } })],
    [
      'request.once',
      async () => {
        await alice.call(api.pinMessage, { params: { id: said.id } })
        return alice.call(api.pinMessage, { params: { id: said.id } })
      },
    ],
    [
      'bot.create',
      async () => {
        await ownerSession.call(api.updateWorkspaceSettings, { body: { integrations: 'admins' } })
        return alice.call(api.createBot, { body: { webhook: { name: 'Porter' } } })
      },
    ],
    [
      'user.names',
      async () => {
        await ownerSession.call(api.updateWorkspaceSettings, { body: { own_names: 'admins' } })
        return session.call(api.updateOwnProfile, { body: { user: { first_name: 'Alicia' } } })
      },
    ],
    [
      'token.create',
      async () => {
        await ownerSession.call(api.updateWorkspaceSettings, { body: { personal_tokens: 'admins' } })
        return session.call(api.createPersonalToken, { body: { name: 'x', scopes: ['messages:read'] } })
      },
    ],
    [
      'workspace.plan',
      async () => {
        await ctx.db.updateTable('workspace').set({ plan: 'standard' }).execute()
        return owner.call(api.listAuditEvents)
      },
    ],
    [
      'workspace.suspended',
      async () => {
        await ctx.db.updateTable('workspace').set({ suspended: true }).execute()
        return alice.call(api.listChats)
      },
    ],
  ]
}

/** Rules that other tests break, or that only tell clients beforehand what a chat offers. */
const ELSEWHERE = new Set<api.RuleId>([
  'allowed',
  'available',
  'bot.add',
  'bot.change.owners_field',
  'chat.leave.guest',
  'chat.leave.member',
  'chat.leave.personal',
  'chat.members.guest_adds',
  'chat.personal',
  'chat.write.person',
  'draft.recipient',
  'export.orderer',
  'file.perimeter',
  'file.read',
  'input.applies',
  'input.form',
  'input.time',
  'input.unique',
  'limit.count',
  'limit.licences',
  'limit.rate',
  'limit.time',
  'message.edit.voice',
  'token.limits.approval',
  'token.limits.chat_ids',
  'token.limits.dry_run_only',
  'token.limits.narrow',
  'token.limits.operations',
  'token.limits.read_only',
  'token.limits.writes_per_day',
  'token.own',
  'user.role.guest',
])

test('every kind of refusal names its rule, what it needs and where that is told', async (t) => {
  const scene = await world(t)
  const wrong: string[] = []
  const cases = await breakRules(scene)
  const broken = new Set(cases.map(([rule]) => rule))
  assert.deepEqual(
    RULE_IDS.filter((rule) => !broken.has(rule) && !ELSEWHERE.has(rule)),
    [],
  )
  for (const [rule, call] of cases) {
    const explanation = await explanationOf(call())
    if (explanation?.rule !== rule) wrong.push(`${rule}: ${JSON.stringify(explanation)}`)
    else {
      assert.equal(explanation.remedy, RULES[rule].remedy)
      assert.equal(explanation.doc, `/reference/refusals#${rule}`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('a refusal tells the limit and the measured length, and never the text', async (t) => {
  const { alice } = await world(t)
  const name = 'x'.repeat(300)
  const explanation = await explanationOf(alice.call(api.createChat, { body: { chat: { name } } }))
  assert.deepEqual([explanation?.needs, explanation?.has], [{ max: 255, field: 'name' }, { length: 300 }])
})

test('sign-in is refused without an explanation, and so is a request without a token', async (t) => {
  const scene = await world(t)
  const { createClient } = await import('@parley/sdk/contract')
  const nobody = createClient({ base_url: `${scene.url}/v1` })
  const wrong = nobody.call(api.signIn, { body: { email: 'alice@example.org', password: 'not this one' } })
  assert.equal(await explanationOf(wrong), undefined)
  assert.equal(await explanationOf(nobody.call(api.listChats)), undefined)
})

test('admins and editors of a bot read why its request was refused; nobody else does', async (t) => {
  const scene = await world(t)
  const { owner, admin, alice, bob, bot, attic, clock } = scene
  const refused = await refusalOf(bot.call(api.createMessage, saying(attic.id)))
  const params = { request_id: refused.request_id as string }
  const { data } = await alice.call(api.getRefusal, { params })
  assert.deepEqual(
    [data.operation, data.status, data.rule, data.user_id, data.object],
    ['createMessage', 403, 'chat.write.member', bot.id, { type: 'Chat', id: attic.id }],
  )
  // An admin who is not in the chat is told the rule and not which chat.
  assert.equal((await admin.call(api.getRefusal, { params })).data.object, null)
  assert.equal((await refusalOf(bob.call(api.getRefusal, { params }))).status, 404)
  const absent = await refusalOf(bob.call(api.getRefusal, { params: { request_id: 'none' } }))
  const hidden = await refusalOf(bob.call(api.getRefusal, { params }))
  assert.deepEqual(hidden.body, absent.body)

  clock.advance(8 * 24 * 3600 * 1000)
  await scene.drain()
  assert.equal((await refusalOf(owner.call(api.getRefusal, { params }))).status, 404)
})

test('a program in a loop does not fill the list of refusals', async (t) => {
  const { alice, clock, ctx } = await world(t)
  // They are counted by the minute.
  clock.freeze(true)
  for (let n = 0; n < 105; n += 1) await refusalOf(alice.call(api.getMessage, { params: { id: 999_999 } }))
  const rows = await ctx.db.selectFrom('refusals').select('id').execute()
  assert.equal(rows.length, 100)
})

test('the reference lists every rule', async (t) => {
  const { url } = await world(t)
  const page = await (await fetch(`${url}/reference/refusals`)).text()
  for (const rule of RULE_IDS) assert.ok(page.includes(`id="${rule}"`), rule)
})
