import { connect, bot as newBot, type Parley, pages, upload } from '@parley/sdk'
import type { RunningSandbox } from './start.js'

export interface Tour {
  base_url: string
  owner: Parley
  ann: Parley
  ann_id: number
  control: Parley['sandbox']
  chat_id: number
}

const NOW = '2030-01-31T08:05:09.000Z'

async function begin({ base_url, owner_token }: RunningSandbox): Promise<Tour> {
  const { sandbox: control } = connect({ base_url })
  await control.setLimits({ enabled: false })
  await control.moveClock({ set: NOW, freeze: true })
  await control.getClock()
  await control.setWorkspace({ show_personal_data: true })
  await control.createProperty({ entity_type: 'User', name: 'Office', data_type: 'string' })
  const owner = connect({ base_url, token: owner_token })
  const person = await control.createUser({ first_name: 'Ann', nickname: 'ann', email: 'ann@example.org' })
  await control.createToken({ user_id: person.id, scopes: ['chats:read'] })
  const ann = connect({ base_url, token: person.token })
  const chat = await owner.chats.create({ chat: { name: 'Travel', member_ids: [person.id] } })
  return { base_url, owner, ann, ann_id: person.id, control, chat_id: chat.id }
}

async function talk({ owner, ann, ann_id, chat_id }: Tour) {
  const say = (content: string, more: object = {}) =>
    owner.messages.create({ message: { entity_id: chat_id, content, ...more } })
  const message = await say('The train leaves at **9:05**.')
  const { id } = message
  await owner.messages.get({ id })
  await owner.messages.list({ chat_id, limit: 1 })
  await owner.messages.listTimeline({ id: chat_id, limit: 1 })
  await owner.messages.update({ id, message: { content: 'The train leaves at **9:15**.' } })
  await ann.messages.listUnread()
  await ann.messages.markChatRead({ id: chat_id, message_id: id })
  await ann.messages.markAllRead()
  await owner.readMembers.listIds({ id })
  await ann.reactions.add({ id, code: '👍' })
  await owner.reactions.list({ id })
  await ann.reactions.remove({ id, code: '👍' })
  await owner.messages.pin({ id })
  await owner.messages.listPins({ id: chat_id })
  await owner.messages.unpin({ id })
  await say(`<@${ann_id}> do you have the tickets?`)
  await ann.messages.listMentions({ limit: 1 })
  await owner.messages.forward({ id, entity_type: 'user', entity_id: ann_id })
  const thread = await ann.threads.create({ id })
  await ann.messages.create({ message: { entity_type: 'thread', entity_id: thread.id, content: 'Got it.' } })
  await ann.threads.get({ id: thread.id })
  await ann.threads.list({ limit: 1 })
  await ann.threads.listInbox({ limit: 1 })
  await ann.threads.follow({ id: thread.id, following: true })
  await ann.threads.createStandalone()
  const file = await upload(owner, { name: 'plan.txt', content: 'Monday: Oslo' })
  const sent = await say('', { files: [file] })
  await owner.files.download({ id: sent.files[0]?.id ?? 0 })
  await owner.files.listChat({ id: chat_id })
  await owner.search.messages({ query: 'train' })
  await owner.search.chats({ query: 'Travel' })
  await owner.search.users({ query: 'Ann' })
  await owner.messages.delete({ id: sent.id })
}

async function arrange({ owner, ann, ann_id, control, chat_id }: Tour) {
  await owner.chats.get({ id: chat_id })
  await owner.chats.list({ limit: 1 })
  await owner.chats.getCard({ id: chat_id })
  await owner.chats.update({ id: chat_id, chat: { name: 'Travel 2030' } })
  await owner.chats.markUnread({ id: chat_id })
  await owner.members.list({ id: chat_id, limit: 1 })
  await owner.members.listRoster({ id: chat_id, limit: 1 })
  const bob = await control.createUser({ first_name: 'Bob', nickname: 'bob' })
  await owner.members.add({ id: chat_id, member_ids: [bob.id] })
  await owner.members.setRole({ id: chat_id, user_id: ann_id, role: 'admin' })
  await owner.members.remove({ id: chat_id, user_id: bob.id })
  const tag = await owner.tags.create({ group_tag: { name: 'Drivers' } })
  await owner.tags.get({ id: tag.id })
  await owner.tags.list({ limit: 1 })
  await owner.tags.lookUp({ query: 'Dri' })
  await owner.tags.update({ id: tag.id, group_tag: { name: 'Pilots' } })
  await owner.members.bindChatTags({ id: chat_id, group_tag_ids: [tag.id] })
  await owner.members.unbindChatTag({ id: chat_id, tag_id: tag.id })
  await owner.tags.listUsers({ id: tag.id, limit: 1 })
  await owner.tags.delete({ id: tag.id })
  const side = await owner.chats.create({ chat: { name: 'Side', member_ids: [ann_id] } })
  await ann.members.leaveChat({ id: side.id })
  await owner.chats.archive({ id: side.id })
  await owner.chats.unarchive({ id: side.id })
  const task = await ann.tasks.create({
    task: { kind: 'reminder', content: 'Pack', due_at: '2030-02-01T09:00:00Z' },
  })
  await ann.tasks.get({ id: task.id })
  await ann.tasks.list({ limit: 1 })
  await ann.tasks.update({ id: task.id, task: { status: 'done' } })
  await ann.tasks.delete({ id: task.id })
  const schedule = { start_date: '2030-02-01T07:00:00Z', repetition: { interval: 'daily' as const } }
  await ann.drafts.previewSchedule({ schedule })
  const draft = await ann.drafts.create({
    draft: { entity_type: 'discussion', entity_id: chat_id, content: 'Good morning', schedule },
  })
  await ann.drafts.get({ id: draft.id })
  await ann.drafts.list({ type: 'scheduled', limit: 1 })
  await ann.drafts.update({ id: draft.id, draft: { content: 'Good morning!' } })
  await ann.drafts.delete({ id: draft.id })
  await ann.drafts.putAt({ draft: { entity_type: 'discussion', entity_id: chat_id, content: 'Not yet' } })
}

async function introduce({ base_url, owner, ann, ann_id, chat_id, control }: Tour) {
  await ann.profile.get()
  await ann.profile.setOwnStatus({ status: { emoji: '🏖', title: 'On holiday' } })
  await ann.profile.getOwnStatus()
  await ann.profile.deleteOwnStatus()
  await ann.profile.getPreferences()
  await ann.profile.listNotices({ limit: 1 })
  await ann.profile.updateOwn({ user: { first_name: 'Anna' } })
  await owner.users.list({ limit: 1 })
  await owner.users.get({ id: ann_id })
  await owner.users.setStatus({ user_id: ann_id, status: { emoji: '🚂', title: 'On the train' } })
  await owner.users.getStatus({ user_id: ann_id })
  await owner.users.deleteStatus({ user_id: ann_id })
  const invited = await owner.users.create({ user: { email: 'eve@example.org', first_name: 'Eve' } })
  await owner.users.update({ id: invited.id, user: { department: 'Sales' } })
  await owner.users.delete({ id: invited.id })
  await control.settle()
  await control.listMail()
  await ann.people.list({ query: 'Ann', limit: 1 })
  await ann.people.lookUpChats({ query: 'Tra', limit: 1 })
  await ann.people.listChatCommands({ id: chat_id })
  await ann.presence.setOwn({ presence: 'active' })
  await ann.presence.list()
  await ann.presence.sendTyping({ id: chat_id })
  await owner.customProperties.list({ entity_type: 'User' })
  await owner.workspace.listCompanyBots({ limit: 1 })
  await owner.workspace.listCompanyChats({ limit: 1 })
  await owner.security.listAuditEvents({ limit: 1 })
  await owner.oauth.getTokenInfo()
  await connect({ base_url }).oauth.getServerMetadata()
}

async function automate({ base_url, owner, ann, ann_id, control, chat_id }: Tour) {
  const helper = newBot({ base_url, tolerance_s: Number.POSITIVE_INFINITY })
  helper.on('command', '/desk', ({ reply }) =>
    reply({ content: 'Book a desk', buttons: [[{ text: 'Book', data: 'book:7' }]] }),
  )
  helper.on('button', ({ open }) =>
    open({ title: 'Book a desk', blocks: [{ type: 'date', name: 'day', label: 'Day', required: true }] }),
  )
  helper.on('form', () => undefined)
  const others = ['message_update', 'message_delete', 'reaction_new', 'reaction_delete'] as const
  for (const kind of [...others, 'chat_member_add' as const]) helper.on(kind, () => undefined)
  const { id } = await helper.register(owner, {
    name: 'Desks',
    nickname: 'desks_bot',
    events_history_enabled: true,
  })
  await helper.listen({ port: 0 })
  await owner.members.add({ id: chat_id, member_ids: [id] })
  const asked = await ann.messages.create({ message: { entity_id: chat_id, content: '/desk' } })
  await control.settle()
  const { data } = await ann.messages.list({ chat_id, limit: 1 })
  await control.press({ user_id: ann_id, message_id: data[0]?.id ?? 0 })
  await control.settle()
  await ann.views.list()
  await control.submit({ user_id: ann_id, data: { day: '2030-02-01' } })
  await ann.reactions.add({ id: asked.id, code: '🪑' })
  await ann.reactions.remove({ id: asked.id, code: '🪑' })
  await ann.messages.update({ id: asked.id, message: { content: '/desk 7' } })
  const wrong = await ann.messages.create({ message: { entity_id: chat_id, content: '/desk 8' } })
  await control.settle()
  await ann.messages.delete({ id: wrong.id })
  const carl = await control.createUser({ first_name: 'Carl' })
  await owner.members.add({ id: chat_id, member_ids: [carl.id] })
  await control.settle()
  const sent = new Map<string, unknown>()
  for await (const { event_type, payload } of pages(helper.parley.webhookEvents.list, {}))
    sent.set(event_type, payload)
  await owner.bots.get({ id })
  await owner.bots.list({ limit: 1 })
  await owner.bots.update({ id, webhook: { name: 'Desk booking' } })
  const token = await owner.bots.issueToken({ id, name: 'Second', scopes: ['messages:create'] })
  await owner.bots.listTokens({ id, limit: 1 })
  await owner.bots.updateToken({ id, token_id: token.id, name: 'Spare' })
  await owner.bots.reissueToken({ id, token_id: token.id })
  await owner.bots.revokeToken({ id, token_id: token.id })
  await owner.bots.listScopes({ id })
  await owner.bots.rotateSigningSecret({ id, grace_s: 3600 })
  const deliveries = await owner.bots.listDeliveries({ id, limit: 1 })
  await owner.bots.redeliver({ id, delivery_id: deliveries.data[0]?.id ?? 0 })
  await owner.bots.redeliverRange({
    id,
    created_from: '2030-01-01',
    created_to: '2030-02-02',
    state: 'failed',
  })
  await owner.bots.resumeWebhook({ id })
  await address(owner, helper.parley, id, deliveries.data[0]?.created_at ?? '')
  const queued = await helper.parley.webhookEvents.list({ limit: 1 })
  await helper.parley.webhookEvents.delete({ id: queued.data[0]?.id ?? '' })
  const ci = await owner.bots.create({ webhook: { name: 'CI', kind: 'simple' } })
  await owner.members.add({ id: chat_id, member_ids: [ci.id] })
  const webhook_key = new URL(ci.webhook.inbound_url ?? '').pathname.split('/').at(-1) ?? ''
  await connect({ base_url }).webhookEvents.postInboundWebhook({ webhook_key, message: 'Build 7 failed' })
  await owner.bots.rotateInboundUrl({ id: ci.id })
  await owner.bots.rotateToken({ id: ci.id })
  await owner.bots.delete({ id: ci.id })
  await helper.stop()
  return sent
}

/** Further addresses of a bot, and replays. */
async function address(owner: Parley, helper: Parley, id: number, from: string) {
  const url = 'https://archive.example.org/hook'
  const made = await owner.bots.createEndpoint({ id, name: 'archive', url, trigger: 'all_messages' })
  const endpoint_id = made.id
  await owner.bots.listEndpoints({ id, limit: 2 })
  await owner.bots.getEndpoint({ id, endpoint_id })
  await owner.bots.updateEndpoint({ id, endpoint_id, events: ['message_new', 'message_update'] })
  await owner.bots.rotateEndpointSecret({ id, endpoint_id, grace_s: 3600 })
  await owner.bots.testEndpoint({ id, endpoint_id: 0 })
  await owner.bots.resumeEndpoint({ id, endpoint_id })
  await owner.bots.deleteEndpoint({ id, endpoint_id })
  const own = await helper.bots.createOwnEndpoint({ name: 'archive', url })
  await helper.bots.listOwnEndpoints({ limit: 2 })
  await helper.bots.getOwnEndpoint({ endpoint_id: own.id })
  await helper.bots.updateOwnEndpoint({ endpoint_id: own.id, disabled: true })
  await helper.bots.rotateOwnEndpointSecret({ endpoint_id: own.id })
  await helper.bots.testOwnEndpoint({ endpoint_id: 0 })
  await helper.bots.resumeOwnEndpoint({ endpoint_id: own.id })
  await helper.bots.deleteOwnEndpoint({ endpoint_id: own.id })
  await owner.bots.planReplay({ id, from })
  const replay = await owner.bots.createReplay({ id, from })
  await owner.bots.listReplays({ id, limit: 1 })
  await owner.bots.getReplay({ id, replay_id: replay.id })
  await owner.bots.cancelReplay({ id, replay_id: replay.id })
  await helper.bots.planOwnReplay({ from })
  const again = await helper.bots.createOwnReplay({ from })
  await helper.bots.listOwnReplays({ limit: 1 })
  await helper.bots.getOwnReplay({ replay_id: again.id })
  await helper.bots.cancelOwnReplay({ replay_id: again.id })
}

/** A walk through the API, as somebody would use it; each call succeeds. Gives what a bot was sent, by event. */
export async function walk(sandbox: RunningSandbox) {
  const tour = await begin(sandbox)
  await talk(tour)
  await arrange(tour)
  await introduce(tour)
  return automate(tour)
}
