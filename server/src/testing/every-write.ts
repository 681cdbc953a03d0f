import type { Operation } from '@parley/contract'
import * as api from '@parley/contract'
import type { Person, World } from './world.js'

/** One call that succeeds; `by` is the caller, where it is not the owner or a session of theirs. */
export interface ValidCall {
  operation: Operation
  by?: Person
  params?: Record<string, unknown>
  query?: Record<string, string>
  body?: unknown
}

/** Sends a call as it stands; `dry` is the value of the header that asks for a dry run. */
export async function send(
  { url }: World,
  { token }: Person,
  { operation, params = {}, query = {}, body }: ValidCall,
  dry?: string,
) {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
  const search = new URLSearchParams(query).toString()
  const headers: Record<string, string> = { Authorization: `Bearer ${token}`, 'X-Request-Id': 'same' }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  if (dry) headers['Parley-Dry-Run'] = dry
  const answer = await fetch(`${url}${operation.root ? '' : '/v1'}${path}${search && `?${search}`}`, {
    method: operation.method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** A browser that gets Web Push. */
const PUSH = {
  endpoint: 'https://push.example.org/known',
  keys: {
    p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
    auth: 'tBHItJI5svbpez7KI4CCXg',
  },
}

/** Everything that writes, apart from what has no dry run, as calls that succeed in this order in one world. */
export async function everyWrite(scene: World): Promise<ValidCall[]> {
  const { alice, bob, bot, office, owner, admin, mia } = scene
  const session = await scene.as(owner.id, { session: true })
  await scene.as(owner.id, { session: true })
  const pushed = await scene.as(bob.id, { session: true })
  const { data: subscription } = await pushed.call(api.addPushSubscription, { body: { subscription: PUSH } })
  const idOf = (answer: unknown) => (answer as { data: { id: number } }).data.id
  const say = async (content = 'hello', entity_id = office.id) =>
    idOf(await alice.call(api.createMessage, { body: { message: { entity_id, content } } }))
  const chat = async (name: string) =>
    idOf(await alice.call(api.createChat, { body: { chat: { name, member_ids: [bob.id] } } }))
  const tag = async (name: string) =>
    idOf(await owner.call(api.createGroupTag, { body: { group_tag: { name } } }))
  const person = async (nickname: string) => (await scene.person({ nickname })).id
  const task = async () =>
    idOf(await alice.call(api.createTask, { body: { task: { kind: 'call', content: 'ring' } } }))
  const draft = async () =>
    idOf(
      await alice.call(api.createDraft, {
        body: { draft: { entity_type: 'discussion', entity_id: await chat('drafts'), content: 'later' } },
      }),
    )
  const property = async (name: string) =>
    idOf(
      await session.call(api.createCustomProperty, {
        body: { entity_type: 'User', name, data_type: 'string' },
      }),
    )
  const rule = { conditions: { all: [{ type: 'keyword', value: 'secret' }] }, action: { type: 'AUDIT_LOG' } }
  const dlp = async (name: string, priority: number) =>
    idOf(await session.call(api.createDlpRule, { body: { name, priority, enabled: false, body: rule } }))
  const newBot = async () =>
    (
      await owner.call(api.createBot, {
        body: { webhook: { name: 'Clerk', outgoing_url: 'https://bots.example.org/' } },
      })
    ).data.id
  const botId = await newBot()
  const botToken = (
    await owner.call(api.issueBotToken, {
      params: { id: botId },
      body: { name: 'spare', scopes: ['messages:read'] },
    })
  ).data.id
  const endpoint = async (name: string) =>
    idOf(
      await owner.call(api.createEndpoint, {
        params: { id: botId },
        body: { name, url: 'https://bots.example.org/' },
      }),
    )
  const ownEndpoint = async (name: string) =>
    idOf(await bot.call(api.createOwnEndpoint, { body: { name, url: 'https://bots.example.org/' } }))
  const replay = idOf(
    await owner.call(api.createReplay, {
      params: { id: botId },
      body: { from: new Date(scene.clock.now()).toISOString() },
    }),
  )
  const provider = (slug: string) => ({
    slug,
    name: slug,
    issuer: 'https://id.example.org',
    client_id: 'parley',
  })
  const identityProvider = async (slug: string) =>
    idOf(await session.call(api.createIdentityProvider, { body: provider(slug) }))
  const personal = (name: string) =>
    session.call(api.createPersonalToken, { body: { name, scopes: ['messages:read'] } }).then(idOf)
  const reacted = await say()
  await alice.call(api.addReaction, { params: { id: reacted }, body: { code: '👍' } })
  const pinned = await say()
  await alice.call(api.pinMessage, { params: { id: pinned } })
  const thread = idOf(await alice.call(api.createThread, { params: { id: await say() } }))
  const tagged = await chat('tagged')
  const bound = await tag('bound')
  await alice.call(api.bindChatTags, { params: { id: tagged }, body: { group_tag_ids: [bound] } })
  const archived = await chat('archived')
  await alice.call(api.archiveChat, { params: { id: archived } })
  const status = { status: { emoji: '🏖️', title: 'away' } }
  await owner.call(api.setOwnStatus, { body: status })
  await owner.call(api.setUserStatus, { params: { user_id: bob.id }, body: status })
  const ended = (
    await scene.ctx.db
      .selectFrom('tokens')
      .select(({ fn }) => fn.max('id').as('id'))
      .where('user_id', '=', owner.id)
      .where('kind', '=', 'session')
      .executeTakeFirstOrThrow()
  ).id
  const invited = idOf(await owner.call(api.createUser, { body: { user: { email: 'new@example.org' } } }))
  const schedule = { start_date: '2090-01-01T10:00:00Z', repetition: { interval: 'once' } }

  return [
    { operation: api.createBot, body: { webhook: { name: 'Porter' } } },
    { operation: api.resumeWebhook, params: { id: botId } },
    {
      operation: api.sendSampleMessage,
      params: { id: botId },
      body: { message: { content: 'Proceed?', buttons: [[{ text: 'Yes', data: 'yes' }]] } },
    },
    {
      operation: api.openSampleForm,
      params: { id: botId },
      body: { view: { title: 'Leave', blocks: [{ type: 'date', name: 'day', label: 'Day' }] } },
    },
    {
      operation: api.tryTemplate,
      params: { id: botId },
      body: { template: '{{ a }}', template_engine: 'liquid', body: { a: 1 } },
    },
    { operation: api.rotateInboundUrl, params: { id: botId } },
    { operation: api.rotateSigningSecret, params: { id: botId }, body: {} },
    {
      operation: api.setOwnWebhook,
      by: bot,
      body: { webhook: { outgoing_url: 'https://bots.example.org/' } },
    },
    { operation: api.updateBot, params: { id: botId }, body: { webhook: { name: 'Usher' } } },
    { operation: api.updateBotToken, params: { id: botId, token_id: botToken }, body: { name: 'other' } },
    { operation: api.revokeBotToken, params: { id: botId, token_id: botToken } },
    {
      operation: api.redeliverRange,
      params: { id: botId },
      body: { created_from: '2026-01-01T00:00:00Z', created_to: '2026-01-02T00:00:00Z' },
    },
    {
      operation: api.createEndpoint,
      params: { id: botId },
      body: { name: 'new', url: 'https://bots.example.org/' },
    },
    {
      operation: api.updateEndpoint,
      params: { id: botId, endpoint_id: await endpoint('old') },
      body: { name: 'changed' },
    },
    { operation: api.deleteEndpoint, params: { id: botId, endpoint_id: await endpoint('ending') } },
    { operation: api.rotateEndpointSecret, params: { id: botId, endpoint_id: await endpoint('rotated') } },
    { operation: api.resumeEndpoint, params: { id: botId, endpoint_id: 0 } },
    { operation: api.createOwnEndpoint, by: bot, body: { name: 'new', url: 'https://bots.example.org/' } },
    {
      operation: api.updateOwnEndpoint,
      by: bot,
      params: { endpoint_id: await ownEndpoint('old') },
      body: { disabled: true },
    },
    { operation: api.deleteOwnEndpoint, by: bot, params: { endpoint_id: await ownEndpoint('ending') } },
    {
      operation: api.rotateOwnEndpointSecret,
      by: bot,
      params: { endpoint_id: await ownEndpoint('rotated') },
    },
    { operation: api.resumeOwnEndpoint, by: bot, params: { endpoint_id: 0 } },
    {
      operation: api.planReplay,
      params: { id: botId },
      body: { from: new Date(scene.clock.now()).toISOString() },
    },
    { operation: api.cancelReplay, params: { id: botId, replay_id: replay } },
    { operation: api.deleteBot, params: { id: await newBot() } },
    { operation: api.createChat, by: alice, body: { chat: { name: 'plans', member_ids: [bob.id] } } },
    {
      operation: api.updateChat,
      by: alice,
      params: { id: await chat('old') },
      body: { chat: { name: 'new' } },
    },
    { operation: api.archiveChat, by: alice, params: { id: await chat('closing') } },
    { operation: api.unarchiveChat, by: alice, params: { id: archived } },
    { operation: api.markChatUnread, by: bob, params: { id: office.id }, body: {} },
    { operation: api.markChatRead, by: bob, params: { id: office.id }, body: {} },
    { operation: api.markAllRead, by: bob },
    {
      operation: api.addChatMembers,
      by: alice,
      params: { id: await chat('joining') },
      body: { member_ids: [admin.id] },
    },
    {
      operation: api.setChatMemberRole,
      by: alice,
      params: { id: await chat('roles'), user_id: bob.id },
      body: { role: 'admin' },
    },
    { operation: api.removeChatMember, by: alice, params: { id: await chat('leaving'), user_id: bob.id } },
    { operation: api.leaveChat, by: bob, params: { id: await chat('left') } },
    {
      operation: api.bindChatTags,
      by: alice,
      params: { id: await chat('tags') },
      body: { group_tag_ids: [await tag('new')] },
    },
    { operation: api.unbindChatTag, by: alice, params: { id: tagged, tag_id: bound } },
    {
      operation: api.createMessage,
      by: alice,
      body: { message: { entity_id: office.id, content: 'hi @bob @all' } },
    },
    {
      operation: api.updateMessage,
      by: alice,
      params: { id: await say() },
      body: { message: { content: 'changed' } },
    },
    { operation: api.deleteMessage, by: alice, params: { id: await say() } },
    {
      operation: api.forwardMessage,
      by: alice,
      params: { id: await say() },
      body: { entity_id: await chat('copies') },
    },
    { operation: api.pinMessage, by: alice, params: { id: await say() } },
    { operation: api.unpinMessage, by: alice, params: { id: pinned } },
    { operation: api.addReaction, by: bob, params: { id: reacted }, body: { code: '🎉' } },
    { operation: api.removeReaction, by: alice, params: { id: reacted }, query: { code: '👍' } },
    { operation: api.createThread, by: alice, params: { id: await say() } },
    { operation: api.createStandaloneThread, by: alice },
    { operation: api.followThread, by: bob, params: { id: thread }, body: { following: true } },
    { operation: api.readNotices, by: bob, body: { notice_id: 1 } },
    {
      operation: api.createDraft,
      by: alice,
      body: { draft: { entity_type: 'discussion', entity_id: office.id, content: 'later', schedule } },
    },
    {
      operation: api.putDraftAt,
      by: bob,
      body: { draft: { entity_type: 'discussion', entity_id: office.id, content: 'soon' } },
    },
    { operation: api.previewSchedule, by: alice, body: { schedule } },
    {
      operation: api.updateDraft,
      by: alice,
      params: { id: await draft() },
      body: { draft: { content: 'other' } },
    },
    { operation: api.deleteDraft, by: alice, params: { id: await draft() } },
    {
      operation: api.createTask,
      by: alice,
      body: { task: { kind: 'call', content: 'ring', performer_ids: [bob.id] } },
    },
    {
      operation: api.updateTask,
      by: alice,
      params: { id: await task() },
      body: { task: { status: 'done' } },
    },
    { operation: api.deleteTask, by: alice, params: { id: await task() } },
    { operation: api.createGroupTag, body: { group_tag: { name: 'fresh' } } },
    {
      operation: api.updateGroupTag,
      params: { id: await tag('stale') },
      body: { group_tag: { name: 'renewed' } },
    },
    { operation: api.deleteGroupTag, params: { id: await tag('gone') } },
    { operation: api.setPreferences, by: alice, body: { preferences: {} } },
    {
      operation: api.updateNotificationSettings,
      by: alice,
      body: { notifications: { level: 'all', quiet_hours: { from: '22:00', to: '07:00' } } },
    },
    {
      operation: api.setChatNotifications,
      by: alice,
      params: { id: office.id },
      body: { level: 'nothing', muted_until: null },
    },
    {
      operation: api.addPushSubscription,
      by: session,
      body: { subscription: { ...PUSH, endpoint: 'https://push.example.org/new' } },
    },
    { operation: api.removePushSubscription, by: pushed, params: { id: subscription.id } },
    { operation: api.updateOwnProfile, by: alice, body: { user: { title: 'Editor' } } },
    { operation: api.deleteOwnAvatar },
    { operation: api.deleteOwnStatus },
    { operation: api.setOwnStatus, by: alice, body: status },
    { operation: api.createUser, body: { user: { email: 'another@example.org' } } },
    { operation: api.updateUser, params: { id: mia.id }, body: { user: { title: 'Guest' } } },
    { operation: api.setUserStatus, params: { user_id: mia.id }, body: status },
    { operation: api.deleteUserStatus, params: { user_id: bob.id } },
    { operation: api.deleteUserAvatar, params: { user_id: bob.id } },
    { operation: api.deleteUser, params: { id: await person('leaver') } },
    { operation: api.resendInvite, by: session, params: { id: invited } },
    { operation: api.orderExport, body: { start_at: '2026-01-01', end_at: '2026-01-02' } },
    { operation: api.updateWorkspaceSettings, by: session, body: { name: 'Works' } },
    { operation: api.setPerimeter, by: session, body: { addresses: ['127.0.0.0/8', '::1/128'] } },
    { operation: api.createIdentityProvider, by: session, body: provider('first') },
    {
      operation: api.updateIdentityProvider,
      by: session,
      params: { id: await identityProvider('second') },
      body: { name: 'House' },
    },
    {
      operation: api.deleteIdentityProvider,
      by: session,
      params: { id: await identityProvider('third') },
    },
    {
      operation: api.deleteScimToken,
      by: session,
      params: { id: idOf(await session.call(api.createScimToken, { body: { name: 'directory' } })) },
    },
    { operation: api.updateRetention, by: session, body: { days: { thread: 400 } } },
    {
      operation: api.createCustomProperty,
      by: session,
      body: { entity_type: 'Task', name: 'Cost', data_type: 'number' },
    },
    {
      operation: api.updateCustomProperty,
      by: session,
      params: { id: await property('Desk') },
      body: { name: 'Room' },
    },
    { operation: api.deleteCustomProperty, by: session, params: { id: await property('Floor') } },
    {
      operation: api.createDlpRule,
      by: session,
      body: { name: 'cards', priority: 1, enabled: false, body: rule },
    },
    { operation: api.updateDlpRule, by: session, params: { id: await dlp('one', 7) }, body: { name: 'two' } },
    { operation: api.deleteDlpRule, by: session, params: { id: await dlp('three', 8) } },
    {
      operation: api.updatePersonalToken,
      by: session,
      params: { id: await personal('a') },
      body: { name: 'b' },
    },
    { operation: api.deletePersonalToken, by: session, params: { id: await personal('c') } },
    { operation: api.revokeWorkspaceToken, by: session, params: { id: await personal('d') } },
    { operation: api.endOwnSession, by: session, params: { id: ended } },
    { operation: api.endOtherSessions, by: session },
  ]
}
