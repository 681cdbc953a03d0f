import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createMessage, downloadFile, getPerimeter, listMessages, setPerimeter } from '@parley/contract'
import sharp from 'sharp'
import { transaction } from '../platform/db/transaction.js'
import { upload } from '../testing/upload.js'
import { type WorldOptions, world } from '../testing/world.js'
import { writeMessage } from '../testing/write-message.js'
import { copyFiles } from './attach.js'
import { loadFiles } from './present.js'
import { actorOf, setUp } from './testing-files.js'

/** A picture that alice sent to the office from inside the perimeter. */
async function protectedPicture(t: TestContext, options: WorldOptions = {}) {
  const stage = await world(t, options)
  const { alice, owner, as, office } = stage
  const settings = await as(owner.id, { session: true })
  await settings.call(setPerimeter, { body: { addresses: ['127.0.0.0/8'] } })
  const picture = await sharp({ create: { width: 900, height: 600, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  const key = await upload(alice, 'map.png', picture)
  const message_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
  const [file] = await setUp(stage).attach(actorOf(alice, '127.0.0.1'), { message_id }, [
    { key, name: 'карта.png', file_type: 'image' },
  ])
  assert(file)
  return { ...stage, settings, picture, file, message_id }
}

test('a protected file goes to those who read its message, from inside the perimeter alone', async (t) => {
  const { url, alice, bob, mia, admin, picture, file, message_id, ctx, settings } = await protectedPicture(t)
  const params = { id: file.id }
  const attached = (await loadFiles(ctx, ctx.db, [message_id])).get(message_id)
  assert.equal(attached?.files[0]?.url, `${url}/v1/files/${file.id}`)

  const headers = { authorization: `Bearer ${bob.token}` }
  const reply = await fetch(`${url}/v1/files/${file.id}`, { headers })
  assert.equal(reply.status, 200)
  assert.deepEqual(Buffer.from(await reply.arrayBuffer()), picture)
  assert.match(reply.headers.get('content-disposition') ?? '', /^attachment; .*%D0%BA%D0%B0/)
  assert.match(reply.headers.get('content-security-policy') ?? '', /sandbox/)
  assert(reply.headers.get('x-request-id'))
  const part = await fetch(`${url}/v1/files/${file.id}`, { headers: { ...headers, range: 'bytes=1-3' } })
  assert.deepEqual([part.status, await part.text()], [206, 'PNG'])
  await mia.call(downloadFile, { params })

  await assert.rejects(admin.call(downloadFile, { params }), { status: 403, code: 'not_authorized' })
  await assert.rejects(alice.call(downloadFile, { params: { id: 999_999 } }), {
    status: 404,
    code: 'not_found',
  })
  await settings.call(setPerimeter, { body: { addresses: ['10.0.0.0/8', '2001:db8::/32'] } })
  await assert.rejects(alice.call(downloadFile, { params }), {
    status: 403,
    code: 'confidential_download_denied',
  })
  await settings.call(setPerimeter, { body: { addresses: [] } })
  await alice.call(downloadFile, { params })
  const ordinary = (await loadFiles(ctx, ctx.db, [message_id])).get(message_id)
  assert.match(ordinary?.files[0]?.url ?? '', /\/storage\//)
})

test('with a perimeter every file is linked to the download operation, in pages that were read before too', async (t) => {
  const stage = await world(t)
  const { alice, bob, admin, owner, as, office, url } = stage
  const key = await upload(alice, 'a.txt')
  const files = [{ key, name: 'a.txt', file_type: 'file' as const, size: 1 }]
  await alice.call(createMessage, { body: { message: { entity_id: office.id, content: '', files } } })
  const linked = async () => {
    const { data } = await bob.call(listMessages, { query: { chat_id: office.id } })
    return data[0]?.files[0]
  }
  const before = await linked()
  assert.match(before?.url ?? '', /\/storage\//)
  const settings = await as(owner.id, { session: true })
  await settings.call(setPerimeter, { body: { addresses: ['10.0.0.0/8'] } })
  const file = await linked()
  assert.equal(file?.url, `${url}/v1/files/${file?.id}`)
  const params = { id: file?.id as number }
  await bob.call(downloadFile, { params })
  await assert.rejects(admin.call(downloadFile, { params }), { status: 403, code: 'not_authorized' })
  await settings.call(setPerimeter, { body: { addresses: [] } })
  assert.equal((await linked())?.url, before?.url)
})

test('an ordinary file has a link, and is downloaded by id as well', async (t) => {
  const stage = await world(t)
  const { alice, office, url } = stage
  const key = await upload(alice, 'a.txt', Buffer.from('content'))
  const message_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
  const [file] = await setUp(stage).attach(actorOf(alice), { message_id }, [{ key, name: 'a.txt' }])

  const headers = { authorization: `Bearer ${alice.token}` }
  assert.equal(await (await fetch(`${url}/v1/files/${file?.id}`, { headers })).text(), 'content')
  const { as } = stage
  const reader = await as(alice.id, { scopes: ['messages:read'] })
  await assert.rejects(reader.call(downloadFile, { params: { id: file?.id as number } }), {
    status: 403,
    code: 'insufficient_scope',
  })
})

test('a picture has smaller forms; what has none gives 400', async (t) => {
  const { url, alice, file, ctx } = await protectedPicture(t)
  const headers = { authorization: `Bearer ${alice.token}` }
  for (const [target, width] of [
    ['thumb', 320],
    ['image', 900],
  ] as const) {
    const reply = await fetch(`${url}/v1/files/${file.id}?target=${target}`, { headers })
    assert.equal(reply.status, 200)
    assert.equal((await sharp(Buffer.from(await reply.arrayBuffer())).metadata()).width, width)
  }
  for (const target of ['pdf_preview', 'pdf_first_page'] as const) {
    await assert.rejects(alice.call(downloadFile, { params: { id: file.id }, query: { target } }), {
      status: 400,
      code: 'invalid',
    })
  }
  await ctx.storage.write(file.key, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  const broken = alice.call(downloadFile, { params: { id: file.id }, query: { target: 'thumb' } })
  await assert.rejects(broken, { status: 400, code: 'invalid' })
  const unknown = fetch(`${url}/v1/files/${file.id}?target=huge`, { headers })
  assert.equal((await unknown).status, 400)
})

test('the mark of the perimeter follows a forward and a key that is used again', async (t) => {
  const stage = await protectedPicture(t)
  const { ctx, alice, office, file } = stage
  const { attach } = setUp(stage)
  const forward_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
  const [copy] = await transaction(ctx, (tx) =>
    copyFiles(tx, ctx, { message_id: file.message_id as number }, { message_id: forward_id }),
  )
  assert.equal(copy?.protected, true)
  const outside = await attach(actorOf(alice, '192.0.2.1'), { message_id: forward_id }, [
    { key: file.key, name: 'again.png' },
  ])
  assert.equal(outside[0]?.protected, true)
})

test('files of drafts are for their author, those of an open chat for every employee', async (t) => {
  const stage = await protectedPicture(t)
  const { ctx, alice, bob, news, person, file } = stage
  const [draft] = await transaction(ctx, (tx) =>
    copyFiles(tx, ctx, { message_id: file.message_id as number }, { draft_id: 7 }),
  )
  const params = { id: draft?.id as number }
  await alice.call(downloadFile, { params })
  await assert.rejects(bob.call(downloadFile, { params }), { status: 403, code: 'not_authorized' })

  const open_id = await writeMessage(stage, { chat_id: news.id, user_id: alice.id })
  const [open] = await transaction(ctx, (tx) =>
    copyFiles(tx, ctx, { message_id: file.message_id as number }, { message_id: open_id }),
  )
  await bob.call(downloadFile, { params: { id: open?.id as number } })
  const guest = await person({ role: 'multi_guest' })
  await assert.rejects(guest.call(downloadFile, { params: { id: open?.id as number } }), {
    status: 403,
    code: 'not_authorized',
  })
})

test('the owner alone sets the perimeter, and only to addresses', async (t) => {
  const { owner, admin, as } = await world(t)
  const settings = await as(owner.id, { session: true })
  const body = { addresses: ['192.0.2.1', '10.0.0.0/8', '2001:db8::1', '2001:db8::/32'] }
  await settings.call(setPerimeter, { body })
  assert.deepEqual((await settings.call(getPerimeter)).data, body)

  for (const address of ['10.0.0.0/33', 'office', '300.1.1.1', '1']) {
    const refused = settings.call(setPerimeter, { body: { addresses: [address] } })
    await assert.rejects(refused, { status: 422, code: 'invalid' }, address)
  }
  assert.deepEqual((await settings.call(getPerimeter)).data, body)
  const other = await as(admin.id, { session: true })
  await assert.rejects(other.call(setPerimeter, { body }), { status: 403, code: 'not_authorized' })
  await assert.rejects(owner.call(getPerimeter), { status: 403, code: 'not_authorized' })
})
