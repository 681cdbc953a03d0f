import { connect, bot as newBot, type Parley, pages } from '@parley/sdk'
import type { Tour } from './testing-tour.js'

/** A bot with a command, a button and a form; gives what it was sent, by event. */
export async function automate({ base_url, owner, ann, ann_id, control, chat_id }: Tour) {
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
