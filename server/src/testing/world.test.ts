import assert from 'node:assert/strict'
import { access } from 'node:fs/promises'
import { test } from 'node:test'
import { createChat, createMessage, createUser, listChats, listMessages, listUsers } from '@parley/contract'
import { filesFolder, outboxFolder } from '../open-context.js'
import { upload } from './upload.js'
import { type World, world } from './world.js'

async function look({ alice, office, ctx, events }: World) {
  const { rows } = await ctx.pool.query(
    'select (select count(*) from jobs) as jobs, (select count(*) from search_words) as words',
  )
  return {
    users: (await alice.call(listUsers)).data.map(({ id, nickname }) => ({ id, nickname })),
    chats: (await alice.call(listChats)).data.map(({ id, name }) => ({ id, name })),
    messages: (await alice.call(listMessages, { query: { chat_id: office.id } })).data,
    events: await events(),
    public_url: ctx.config.public_url,
    ...rows[0],
  }
}

let first: Awaited<ReturnType<typeof look>>
let secondChat: number

test('a test may change anything', async (t) => {
  const w = await world(t)
  first = await look(w)
  const { data: chat } = await w.alice.call(createChat, { body: { chat: { name: 'second' } } })
  secondChat = chat.id
  for (const entity_id of [w.office.id, chat.id])
    await w.alice.call(createMessage, { body: { message: { entity_id, content: 'hello' } } })
  await w.admin.call(createUser, { body: { user: { email: 'new@example.org' } } })
  await upload(w.alice, 'note.txt')
  await w.drain()
  w.clock.advance(86_400_000)
  w.clock.freeze(true)
  w.ctx.config.public_url = 'https://elsewhere.example'
  w.ctx.rates.setEnabled(true)
  w.ctx.faults.set({ drop: true, count: 5 })
  for (const worker of w.server.workers) worker.start()
})

test('and the next one finds the world as it was at the start', async (t) => {
  const w = await world(t)
  assert.deepEqual(await look(w), first)
  const times = [Date.now(), w.clock.now(), Date.now()]
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
    'the clock is the real one again',
  )
  assert.equal(w.ctx.faults.meet(1000), undefined)
  for (const folder of [filesFolder(w.ctx.config), outboxFolder(w.ctx.config)])
    await assert.rejects(access(folder), { code: 'ENOENT' })
  for (let count = 0; count < 100; count += 1) await w.alice.call(listUsers)
  const { data } = await w.bob.call(createChat, { body: { chat: { name: 'other', channel: true } } })
  assert.equal(data.id, secondChat)
  const message = { entity_id: data.id, content: 'hi' }
  await assert.rejects(w.alice.call(createMessage, { body: { message } }), { status: 403 })
  assert.equal((await w.bob.call(createMessage, { body: { message } })).data.chat_id, data.id)
})
