import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage, createThread, deleteMessage, listMessages, updateMessage } from '@parley/contract'
import { type Person, world } from '../testing/world.js'
import { saying } from './testing-saying.js'

async function count(calls: Promise<unknown>[]): Promise<{ done: number; over: number }> {
  const results = await Promise.allSettled(calls)
  const over = results.filter(
    ({ status, ...rest }) => status === 'rejected' && 'reason' in rest && rest.reason.status === 429,
  )
  return { done: results.length - over.length, over: over.length }
}

test('four writes a second in one chat, by whichever name it is called, and edits count too', async (t) => {
  const { alice, bob, office, clock } = await world(t, { limits: true })
  clock.freeze(true)
  const { data } = await alice.call(createMessage, saying(office.id, 'parent'))
  const { data: thread } = await alice.call(createThread, { params: { id: data.id } })
  const { data: personal } = await alice.call(createMessage, saying(bob.id, 'psst', { entity_type: 'user' }))
  clock.advance(1000)
  const edit = () =>
    alice.call(updateMessage, { params: { id: data.id }, body: { message: { content: 'edited' } } })
  assert.deepEqual(
    await count([
      ...Array.from({ length: 3 }, () => alice.call(createMessage, saying(office.id, 'x'))),
      edit(),
      edit(),
      alice.call(deleteMessage, { params: { id: data.id } }),
    ]),
    { done: 4, over: 2 },
  )
  const comment = (entity: object) => alice.call(createMessage, saying(0, 'c', entity))
  assert.deepEqual(
    await count([
      ...Array.from({ length: 3 }, () => comment({ entity_type: 'thread', entity_id: thread.id })),
      ...Array.from({ length: 3 }, () => comment({ entity_id: thread.chat_id })),
    ]),
    { done: 4, over: 2 },
  )
  assert.deepEqual(
    await count([
      ...Array.from({ length: 3 }, () => comment({ entity_type: 'user', entity_id: bob.id })),
      ...Array.from({ length: 3 }, () => comment({ entity_id: personal.chat_id })),
    ]),
    { done: 4, over: 2 },
  )
  clock.advance(1000)
  await edit().catch(({ status }) => assert.equal(status, 422))
})

test('ten reads a second, and the refusal is plain text with a time to wait', async (t) => {
  const { alice, office, url, clock } = await world(t, { limits: true })
  clock.freeze(true)
  const read = (who: Person) => who.call(listMessages, { query: { chat_id: office.id } })
  assert.deepEqual(await count(Array.from({ length: 13 }, () => read(alice))), { done: 10, over: 3 })
  const answer = await fetch(`${url}/v1/messages?chat_id=${office.id}`, {
    headers: { Authorization: `Bearer ${alice.token}` },
  })
  assert.equal(answer.status, 429)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/)
  assert.equal(answer.headers.get('retry-after'), '1')
  assert.equal(await answer.text(), 'Too Many Requests')
})
