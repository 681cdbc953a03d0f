import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createMessage, deleteMessage, listTimeline } from '@parley/contract'
import sharp from 'sharp'
import { type Person, type World, world } from '../testing/world.js'
import { previewKeyOf } from './preview.js'

async function post({ ctx, office }: World, author: Person, name: string, content: Buffer) {
  const key = `attaches/files/${author.id}/${randomUUID()}/${name}`
  await ctx.storage.write(key, content)
  const file = { key, name, file_type: 'image' as const, size: content.length }
  const message = { entity_id: office.id, files: [file] }
  const { data } = await author.call(createMessage, { body: { message } })
  return { key, id: data.id }
}

async function previewOf({ office }: World, reader: Person): Promise<string | null | undefined> {
  const { data } = await reader.call(listTimeline, { params: { id: office.id } })
  return data.at(-1)?.files[0]?.preview_url
}

test('a picture has a smaller one, drawn once, kept, and gone with it', async (t) => {
  const w = await world(t)
  const bob = await w.as(w.bob.id, { session: true })
  const create = { width: 1440, height: 200, channels: 3 as const, background: 'teal' }
  const { key, id } = await post(w, w.alice, 'map.png', await sharp({ create }).png().toBuffer())
  const url = (await previewOf(w, bob)) as string
  assert.equal(await previewOf(w, bob), url)
  assert.equal(await w.ctx.storage.stat(previewKeyOf(key)), undefined)
  const answers = await Promise.all([fetch(url), fetch(url)])
  for (const answer of answers) {
    assert.equal(answer.headers.get('content-type'), 'image/webp')
    const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    assert.deepEqual([width, height], [720, 100])
  }
  await w.ctx.storage.write(previewKeyOf(key), Buffer.from('kept'))
  assert.equal(await (await fetch(url)).text(), 'kept')
  assert.equal((await fetch(url.replace('signature=', 'signature=x'))).status, 403)
  await w.alice.call(deleteMessage, { params: { id } })
  await w.drain()
  assert.equal((await fetch(url)).status, 404)
  assert.equal(await w.ctx.storage.stat(previewKeyOf(key)), undefined)
})

test('what cannot be drawn leads to the original, and other files have no preview', async (t) => {
  const w = await world(t)
  const bob = await w.as(w.bob.id, { session: true })
  await post(w, w.alice, 'broken.png', Buffer.from('no picture'))
  const answer = await fetch((await previewOf(w, bob)) as string)
  assert.equal(await answer.text(), 'no picture')
  await post(w, w.alice, 'drawing.svg', Buffer.from('<svg/>'))
  assert.equal(await previewOf(w, bob), null)
})
