import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChat, createMessage, createUser, getChat } from '@parley/contract'
import { world } from './testing/world.js'

async function opens(link: string): Promise<string> {
  const answer = await fetch(link, { headers: { Accept: 'text/html' }, redirect: 'manual' })
  assert.ok(answer.status === 200 || answer.status === 503, `${link} ${answer.status}`)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/, link)
  return link
}

test('every address that is handed out opens a page of the client', async (t) => {
  const { ctx, alice, admin, office, drain, url } = await world(t)
  const { data: message } = await alice.call(createMessage, {
    body: { message: { entity_id: office.id, content: 'hello' } },
  })
  await opens(message.url)
  const { data: chat } = await alice.call(createChat, { body: { chat: { name: 'Meet' } } })
  await opens(chat.meet_room_url)
  await admin.call(createUser, { body: { user: { email: 'new@example.org' } } })
  await drain()
  const { mail } = ctx
  const [letter] = await (mail as unknown as { list(): Promise<{ text: string }[]> }).list()
  const invitation = /https?:\S+/.exec(letter?.text ?? '')?.[0]
  assert.ok(invitation?.includes('/invite/'), letter?.text)
  await opens(invitation as string)
  await opens(`${url}/full_exports/1`)
})

test('a room nobody guesses follows the setting', async (t) => {
  const meet = { PARLEY_MEET_URL: 'https://meet.example.org/{room}?from=parley' }
  const { alice, url } = await world(t, { env: meet })
  const { data } = await alice.call(createChat, { body: { chat: { name: 'Design Team' } } })
  assert.match(data.meet_room_url, /^https:\/\/meet\.example\.org\/design-team-[0-9a-f]{32}\?from=parley$/)
  const again = await alice.call(getChat, { params: { id: data.id } })
  assert.equal(again.data.meet_room_url, data.meet_room_url)
  const session = await (
    await fetch(`${url}/meet/old-room`, { headers: { Accept: 'text/html' }, redirect: 'manual' })
  ).headers
  assert.equal(session.get('location'), 'https://meet.example.org/old-room?from=parley')
  for (const other of ['evil.example.org/x', '@evil.example.org']) await opens(`${url}/meet/${other}`)
})
