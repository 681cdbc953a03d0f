import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createDraft,
  createMessage,
  deleteMessage,
  type File,
  getMessage,
  listMessages,
  updateDraft,
  updateMessage,
} from '@parley/contract'
import sharp from 'sharp'
import { upload } from '../testing/upload.js'
import { type Person, world } from '../testing/world.js'

const DAY_MS = 86_400_000
const named = (id: number) => ({ params: { id } })
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } })

/** An image that says nothing of its size. */
async function picture(person: Person, name: string, content: Buffer | string) {
  return { key: await upload(person, name, content), name, file_type: 'image' as const, size: 3 }
}

const sizes = (files: File[]) => files.map(({ width, height }) => [width, height])
const measured = (files: File[]) =>
  files.map(({ width, height, measured_width, measured_height }) => {
    assert.deepEqual([width, height], [null, null])
    return [measured_width, measured_height]
  })

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

test('a file that was never uploaded is refused wherever files are sent', async (t) => {
  const { alice, office } = await world(t)
  const key = (await upload(alice, 'a.txt')).replace('a.txt', 'b.txt')
  const files = [{ key, name: 'b.txt', file_type: 'file' as const, size: 3 }]
  const { data } = await alice.call(createMessage, {
    body: { message: { entity_id: office.id, content: 'x' } },
  })
  const sent = { entity_id: office.id, content: 'x', files }
  const refusal = { status: 422, code: 'not_found' }
  await assert.rejects(alice.call(createMessage, { body: { message: sent } }), refusal)
  await assert.rejects(
    alice.call(updateMessage, { ...named(data.id), body: { message: { files } } }),
    refusal,
  )
  const draft = { entity_type: 'discussion', draft_type: 'text' } as const
  await assert.rejects(alice.call(createDraft, { body: { draft: { ...sent, ...draft } } }), refusal)
  const kept = await alice.call(createDraft, {
    body: { draft: { ...draft, entity_id: office.id, content: 'x' } },
  })
  await assert.rejects(
    alice.call(updateDraft, { ...named(kept.data.id), body: { draft: { files } } }),
    refusal,
  )
})

test('who may not write is told that, and nothing of the files', async (t) => {
  const { alice, bob, office, attic } = await world(t)
  const files = [{ key: await upload(alice, 'a.txt'), name: 'a.pdf', file_type: 'file' as const, size: 3 }]
  const { data: own } = await alice.call(createMessage, {
    body: { message: { entity_id: office.id, content: 'x' } },
  })
  const post = (who: Person, entity_id: number) =>
    who.call(createMessage, { body: { message: { entity_id, files } } })
  const edit = (who: Person, id: number) =>
    who.call(updateMessage, { ...named(id), body: { message: { files } } })
  await assert.rejects(post(alice, 999_999), { status: 404 })
  await assert.rejects(post(alice, attic.id), { status: 403 })
  await assert.rejects(edit(alice, 999_999), { status: 404 })
  await assert.rejects(edit(bob, own.id), { status: 403 })
  await assert.rejects(edit(alice, own.id), { status: 422, code: 'wrong_params' })
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

test('a picture that came without a size is sent with the one that its content tells', async (t) => {
  const { alice, bob, office } = await world(t)
  const turned = await plain(30, 20).jpeg().withMetadata({ orientation: 6 }).toBuffer()
  const files = [
    await picture(alice, 'a.png', await plain(90, 60).png().toBuffer()),
    await picture(alice, 'b.jpg', await plain(30, 20).jpeg().toBuffer()),
    await picture(alice, 'c.jpg', turned),
    await picture(alice, 'd.webp', await plain(12, 34).webp().toBuffer()),
    await picture(alice, 'e.gif', await plain(5, 6).gif().toBuffer()),
  ]
  const { data } = await alice.call(createMessage, { body: { message: { entity_id: office.id, files } } })
  const read = [
    [90, 60],
    [30, 20],
    [20, 30],
    [12, 34],
    [5, 6],
  ]
  assert.deepEqual(measured(data.files), read)
  assert.deepEqual(measured((await bob.call(getMessage, named(data.id))).data.files), read)
})

test('a size that was given stays as it was given, half a size too, and only pictures are looked at', async (t) => {
  const { alice, office } = await world(t)
  const file = await picture(alice, 'a.png', await plain(90, 60).png().toBuffer())
  const files = [
    { ...file, width: 4, height: 5 },
    { ...file, width: 0, height: 0 },
    { ...file, width: 4 },
    { ...file, file_type: 'file' as const },
    { ...file, file_type: 'video' as const, width: 7, height: 8 },
    { ...file, width: 4, height: 5, measured_width: 1, measured_height: 2 },
  ]
  const { data } = await alice.call(createMessage, { body: { message: { entity_id: office.id, files } } })
  assert.deepEqual(sizes(data.files), [
    [4, 5],
    [0, 0],
    [4, null],
    [null, null],
    [null, null],
    [4, 5],
  ])
  assert.ok(data.files.every(({ measured_width }) => measured_width === null))
})

test('what tells no size is sent without one', async (t) => {
  const { alice, office } = await world(t)
  const whole = await plain(90, 60).png().toBuffer()
  const vast = Buffer.from(whole)
  vast.writeUInt32BE(0xffff_ffff, 16)
  const files = [
    await picture(alice, 'image.png', 'no picture at all'),
    await picture(alice, 'empty.png', ''),
    await picture(alice, 'cut.png', whole.subarray(0, 18)),
    await picture(alice, 'vast.png', vast),
    await picture(alice, 'drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
  ]
  const { data } = await alice.call(createMessage, { body: { message: { entity_id: office.id, files } } })
  assert.deepEqual(
    measured(data.files),
    files.map(() => [null, null]),
  )
})

test('an edit and a draft read the size of a picture too, and a file that stays keeps its id', async (t) => {
  const { alice, office } = await world(t)
  const file = await picture(alice, 'a.png', await plain(90, 60).png().toBuffer())
  const message = { entity_id: office.id, content: 'x' }
  const { data } = await alice.call(createMessage, { body: { message } })
  const put = async (change: object) =>
    (await alice.call(updateMessage, { ...named(data.id), body: { message: change } })).data.files
  const added = await put({ files: [file] })
  assert.deepEqual(measured(added), [[90, 60]])
  assert.equal((await put({ content: 'y', files: [file] }))[0]?.id, added[0]?.id)

  const garbage = await picture(alice, 'b.png', 'no picture')
  const draft = { entity_type: 'discussion' as const, entity_id: office.id, files: [file, garbage] }
  const { data: kept } = await alice.call(createDraft, { body: { draft } })
  assert.deepEqual(measured(kept.files), [
    [90, 60],
    [null, null],
  ])
  const files = kept.files.map(({ id, key, name }) => ({ id, key, name }))
  const { data: same } = await alice.call(updateDraft, { ...named(kept.id), body: { draft: { files } } })
  assert.deepEqual(same.files, kept.files)
})

test('with an idempotency key the size is read before the write begins', async (t) => {
  const { alice, office } = await world(t)
  const file = await picture(alice, 'a.png', await plain(90, 60).png().toBuffer())
  const body = { message: { entity_id: office.id, files: [file] } }
  const first = await alice.call(createMessage, { body, idempotency_key: 'once' })
  assert.deepEqual(measured(first.data.files), [[90, 60]])
  assert.deepEqual(await alice.call(createMessage, { body, idempotency_key: 'once' }), first)

  const draft = { entity_type: 'discussion' as const, entity_id: office.id, files: [file] }
  const { data } = await alice.call(createDraft, { body: { draft }, idempotency_key: 'kept' })
  assert.deepEqual(measured(data.files), [[90, 60]])
})
