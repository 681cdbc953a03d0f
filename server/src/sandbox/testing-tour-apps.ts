import { connect, bot as newBot, type Parley, upload } from '@parley/sdk'
import type { openBrowser } from '../testing/browser.js'
import type { Tour } from './testing-tour.js'

type Browser = ReturnType<typeof openBrowser>

const BACK = 'https://desks.example.org/back'

const DESK = {
  title: 'Book a desk',
  blocks: [{ type: 'date' as const, name: 'day', label: 'Day', required: true }],
}

/** A bot without an address of its own: it polls, and answers a form by a call. */
async function poll({ base_url, owner, control }: Tour) {
  const desks = newBot({ base_url })
  desks.on('button', () => undefined)
  desks.on('form', () => undefined)
  const { id } = await desks.register(owner, { name: 'Rooms', events_history_enabled: true })
  const message = { content: 'Book a desk', buttons: [[{ text: 'Book', data: 'book' }]] }
  const sent = await owner.bots.sendSampleMessage({ id, message })
  await owner.views.pressButton({ id: sent.id, row: 0, column: 0 })
  await owner.bots.openSampleForm({ id, view: DESK })
  const [view] = await owner.views.list()
  const polling = desks.poll({ wait_ms: 50 })
  await owner.views.submit({ id: view?.id ?? '', data: { day: '2030-02-01' } })
  await desks.stop()
  await polling
  await control.settle()
  await owner.bots.openSampleForm({ id, view: DESK })
  const [other] = await owner.views.list()
  await owner.views.close({ id: other?.id ?? '' })
  await desks.parley.bots.rotateOwnToken()
  return id
}

/** A bot that shows previews of links. */
async function unfurl({ base_url, owner, ann, control, chat_id }: Tour) {
  const tickets = newBot({ base_url })
  const { id } = await tickets.register(owner, {
    name: 'Tickets',
    trigger_on: 'unfurl',
    unfurl_domains: ['tickets.example.org'],
    scopes: ['link_previews:write', 'messages:read'],
  })
  await owner.members.add({ id: chat_id, member_ids: [id] })
  const url = 'https://tickets.example.org/7'
  const message = await ann.messages.create({ message: { entity_id: chat_id, content: `See ${url}` } })
  await control.settle()
  await tickets.parley.messages.createLinkPreviews({
    id: message.id,
    link_previews: { [url]: { title: 'Ticket 7', description: 'The printer is out of paper.' } },
  })
  await ann.messages.listLinkPreviews({ message_ids: [message.id] })
}

/** The page of a bot in the catalogue, and its sign-in of people, whom it acts for. */
async function publish({ base_url, owner }: Tour, id: number) {
  const image = await upload(owner, { name: 'desks.png', content: 'A picture' })
  const made = await owner.bots.update({
    id,
    webhook: {},
    promo: { description: 'Books desks.', published: true, promo_images: [image.key] },
    oauth_client: { redirect_uris: [BACK], scopes: ['messages:read'] },
  })
  await owner.bots.listPublished({ limit: 1 })
  await connect({ base_url }).bots.getPromoImage({ id, position: 0 })
  const { client_secret } = await owner.bots.rotateClientSecret({ id })
  return { client_id: made.oauth_client?.client_id ?? '', client_secret }
}

/** A person lets the bot act for them in a browser where they are signed in, and takes it back. */
export async function actFor(tour: Tour, person: Parley, browser: Browser, id: number) {
  const client = await publish(tour, id)
  const query = { client_id: client.client_id, redirect_uri: BACK, response_type: 'code', state: 'x' }
  const path = `/apps/authorize?${new URLSearchParams(query)}`
  const answer = await browser.submit(path, await browser.visit(path), 'consent', { answer: 'allow' })
  const code = new URL(answer.location ?? '').searchParams.get('code') ?? ''
  const grant = { grant_type: 'authorization_code' as const, code, redirect_uri: BACK }
  await connect({ base_url: tour.base_url }).oauth.exchangeToken({ ...grant, ...client })
  await person.oauth.listGrants()
  await person.oauth.revokeGrant({ bot_id: id })
}

/** A bot that polls, one that shows previews; gives the id of the first. */
export async function addApps(tour: Tour): Promise<number> {
  const id = await poll(tour)
  const template = 'Build {{ number }} {{ state }}'
  const body = { number: 7, state: 'failed' }
  await tour.owner.bots.tryTemplate({ id, template, template_engine: 'liquid', body })
  await unfurl(tour)
  return id
}
