import type { TestContext } from 'node:test'
import { connect, live, type Parley, upload } from '@parley/sdk'
import type { RunningSandbox } from './start.js'
import { NOW } from './testing-masks.js'
import { invite, settleIn } from './testing-tour-account.js'
import { automate } from './testing-tour-bots.js'
import { manage, signInElsewhere } from './testing-tour-workspace.js'

export interface Tour {
  t: TestContext
  base_url: string
  owner: Parley
  /** A login of the owner. */
  session: Parley
  ann: Parley
  ann_id: number
  control: Parley['sandbox']
  chat_id: number
}

async function begin(t: TestContext, { base_url, owner_id, owner_token }: RunningSandbox): Promise<Tour> {
  const { sandbox: control } = connect({ base_url })
  await control.setLimits({ enabled: false })
  await control.setWorkspace({ show_personal_data: true })
  await control.createProperty({ entity_type: 'User', name: 'Office', data_type: 'string' })
  const owner = connect({ base_url, token: owner_token })
  const person = await control.createUser({ first_name: 'Ann', nickname: 'ann', email: 'ann@example.org' })
  await control.createToken({ user_id: person.id, scopes: ['chats:read'] })
  const ann = connect({ base_url, token: person.token })
  const chat = await owner.chats.create({ chat: { name: 'Travel', member_ids: [person.id] } })
  const login = await control.createToken({ user_id: owner_id, session: true })
  const session = connect({ base_url, token: login.token })
  return { t, base_url, owner, session, ann, ann_id: person.id, control, chat_id: chat.id }
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

async function introduce({ base_url, owner, ann, ann_id, chat_id }: Tour) {
  await ann.profile.get()
  await ann.profile.setOwnStatus({ status: { emoji: '🏖', title: 'On holiday' } })
  await ann.profile.getOwnStatus()
  await ann.profile.deleteOwnStatus()
  await ann.profile.getPreferences()
  await ann.profile.setPreferences({ preferences: { theme: 'dark' } })
  const notices = await ann.profile.listNotices({ limit: 1 })
  await ann.profile.readNotices({ notice_id: notices.data[0]?.id ?? 0 })
  await ann.profile.updateOwn({ user: { first_name: 'Anna' } })
  await owner.users.list({ limit: 1 })
  await owner.users.get({ id: ann_id })
  await owner.users.setStatus({ user_id: ann_id, status: { emoji: '🚂', title: 'On the train' } })
  await owner.users.getStatus({ user_id: ann_id })
  await owner.users.deleteStatus({ user_id: ann_id })
  await owner.users.update({ id: ann_id, user: { department: 'Sales' } })
  await ann.people.list({ query: 'Ann', limit: 1 })
  await ann.people.lookUpChats({ query: 'Tra', limit: 1 })
  await ann.people.listChatCommands({ id: chat_id })
  await ann.presence.setOwn({ presence: 'active' })
  await ann.presence.list()
  await ann.presence.sendTyping({ id: chat_id })
  await ann.live.getStart()
  await ann.live.listOwnChatCards({ limit: 1 })
  const stream = new AbortController()
  await live(ann, { signal: stream.signal }).next()
  stream.abort()
  await owner.customProperties.list({ entity_type: 'User' })
  await owner.workspace.listCompanyBots({ limit: 1 })
  await owner.workspace.listCompanyChats({ limit: 1 })
  await owner.security.listAuditEvents({ limit: 1 })
  await owner.oauth.getTokenInfo()
  await connect({ base_url }).oauth.getServerMetadata()
}

/** A walk through the API, as somebody would use it; each call succeeds. Gives what a bot was sent, by event. */
export async function walk(t: TestContext, sandbox: RunningSandbox) {
  const tour = await begin(t, sandbox)
  // The provider has the real time.
  await invite(tour)
  await signInElsewhere(tour)
  await tour.control.moveClock({ set: NOW, freeze: true })
  await tour.control.getClock()
  await talk(tour)
  await arrange(tour)
  await introduce(tour)
  const sent = await automate(tour)
  await settleIn(tour)
  await manage(tour)
  await tour.control.setFaults({ webhooks: { status: 503, count: 1 } })
  await tour.control.get()
  await tour.control.reset()
  return sent
}
