import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage, deleteMessage, getMessage, listMessages, updateMessage } from '@parley/contract'
import { upload } from '../testing/upload.js'
import { world } from '../testing/world.js'

const DAY_MS = 86_400_000
const named = (id: number) => ({ params: { id } })

test('files alone make a message, and every read shows them in their order', async (t) => {
  const { alice, bob, office } = await world(t)
  const keys = [await upload(alice, 'a.png'), await upload(alice, 'b.txt')]
  const files = [
    { key: keys[0] as string, name: 'photo.png', file_type: 'image' as const, size: 3, width: 4, height: 5 },
    { key: keys[1] as string, name: 'notes.txt', file_type: 'file' as const, size: 3 },
  ]
  const { data } = await alice.call(createMessage, { body: { message: { entity_id: office.id, files } } })
  assert.equal(data.content, '')
  assert.deepEqual(
    data.files.map(({ name, width }) => [name, width]),
    [
      ['photo.png', 4],
      ['notes.txt', null],
    ],
  )
  const content = await fetch(data.files[1]?.url as string)
  assert.equal(content.status, 200)
  await alice.call(createMessage, { body: { message: { entity_id: office.id, content: 'no files' } } })
  assert.deepEqual((await bob.call(getMessage, named(data.id))).data, data)
  const { data: page } = await bob.call(listMessages, { query: { chat_id: office.id } })
  assert.deepEqual(page[1], data)
  assert.deepEqual(page[0]?.files, [])
})

test('an edit replaces the files, an empty list clears them, and something must be left', async (t) => {
  const { alice, office } = await world(t)
  const file = async (name: string) => ({
    key: await upload(alice, name),
    name,
    file_type: 'file' as const,
    size: 3,
  })
  const one = await file('one.txt')
  const two = await file('two.txt')
  const { data } = await alice.call(createMessage, {
    body: { message: { entity_id: office.id, content: 'x', files: [one] } },
  })
  const put = async (message: object) =>
    (await alice.call(updateMessage, { ...named(data.id), body: { message } })).data
  const both = await put({ files: [one, two] })
  assert.deepEqual(
    both.files.map(({ name }) => name),
    ['one.txt', 'two.txt'],
  )
  assert.equal(both.files[0]?.id, data.files[0]?.id)
  assert.deepEqual((await put({ content: 'y' })).files, both.files)
  const { data: page } = await alice.call(listMessages, { query: { chat_id: office.id } })
  assert.deepEqual(page[0]?.files, both.files)
  await assert.rejects(put({ content: '', files: [] }), { status: 422, code: 'blank' })
  assert.deepEqual((await put({ files: [] })).files, [])
})

test('a deleted message gives its files up', async (t) => {
  const { alice, office, ctx, drain } = await world(t)
  const key = await upload(alice, 'a.txt')
  const files = [{ key, name: 'a.txt', file_type: 'file' as const, size: 3 }]
  const { data } = await alice.call(createMessage, { body: { message: { entity_id: office.id, files } } })
  await alice.call(deleteMessage, named(data.id))
  await drain()
  assert.deepEqual((await alice.call(getMessage, named(data.id))).data.files, [])
  assert.equal(await ctx.storage.stat(key), undefined)
})

test('a voice message says how long it is and how it looks, and is not edited', async (t) => {
  const { alice, office } = await world(t)
  const key = await upload(alice, 'v.ogg')
  const voice = {
    key,
    name: 'v.ogg',
    file_type: 'voice' as const,
    size: 3,
    duration_ms: 1200,
    waveform: 'AAEC',
  }
  const { data } = await alice.call(createMessage, {
    body: { message: { entity_id: office.id, files: [voice] } },
  })
  assert.deepEqual(data.voice_content, { duration_ms: 1200, waveform: 'AAEC', transcript: null })
  await assert.rejects(
    alice.call(updateMessage, { ...named(data.id), body: { message: { content: 'words' } } }),
    { status: 403, code: 'not_authorized' },
  )
})

test('a kept page hands out links that are alive', async (t) => {
  const { alice, office, clock } = await world(t)
  const key = await upload(alice, 'a.txt')
  const files = [{ key, name: 'a.txt', file_type: 'file' as const, size: 3 }]
  await alice.call(createMessage, { body: { message: { entity_id: office.id, files } } })
  for (let day = 0; day < 16; day += 1) {
    const { data } = await alice.call(listMessages, { query: { chat_id: office.id } })
    const answer = await fetch(data[0]?.files[0]?.url as string)
    assert.equal(answer.status, 200, `on day ${day}`)
    clock.advance(DAY_MS)
  }
})
