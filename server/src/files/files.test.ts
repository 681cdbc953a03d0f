import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { downloadFile, getPerimeter, getUploadParams, setPerimeter } from '@parley/contract'
import sharp from 'sharp'
import type { Actor } from '../platform/actor.js'
import { actingFor } from '../platform/actor.js'
import { transaction } from '../platform/db/transaction.js'
import { postForm, upload } from '../testing/upload.js'
import { type Person, type World, type WorldOptions, world } from '../testing/world.js'
import { writeMessage } from '../testing/write-message.js'
import {
  attachFiles,
  checkFiles,
  copyFiles,
  dropFiles,
  dropFilesOf,
  type FileInput,
  type FileTarget,
  replaceFiles,
} from './attach.js'
import { loadDraftFiles, loadFiles } from './present.js'

const DAY_MS = 86_400_000

const actorOf = (person: Person, ip_address: string | null = null): Actor => ({
  ...actingFor(person.id, 'user', 'corporation'),
  ip_address,
})

function setUp({ ctx }: World) {
  const attach = async (actor: Actor, target: FileTarget, inputs: FileInput[]) => {
    const checked = await checkFiles(ctx, actor, inputs)
    return transaction(ctx, (tx) => attachFiles(tx, ctx, actor, target, checked))
  }
  const filesOf = async (message_id: number) => (await loadFiles(ctx, ctx.db, [message_id])).get(message_id)
  return { attach, filesOf, stored: (key: string) => ctx.storage.stat(key) }
}

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

test('an upload takes a form, a post and the key', async (t) => {
  const stage = await world(t)
  const { alice } = stage
  const params = await alice.call(getUploadParams)

  assert.match(params.key, new RegExp(`^attaches/files/${alice.id}/[0-9a-f-]{36}/\\$\\{filename\\}$`))
  assert.equal(params['Content-Disposition'], 'attachment')
  assert.equal((await postForm(params, 'hello', 'greeting.txt')).status, 204)
  const key = params.key.replace('${filename}', 'greeting.txt')
  assert.deepEqual(await setUp(stage).stored(key), { size: 5 })
})

test('the storage refuses a form that was changed, has expired or carries too much', async (t) => {
  const stage = await world(t, { env: { PARLEY_MAX_UPLOAD_BYTES: '10' } })
  const { alice, bob, clock } = stage
  const params = await alice.call(getUploadParams)

  const foreign = { ...params, key: params.key.replace(`/${alice.id}/`, `/${bob.id}/`) }
  assert.equal((await postForm(foreign, 'x', 'a.txt')).status, 403)
  assert.equal((await postForm(params, 'x'.repeat(11), 'a.txt')).status, 400)
  assert.equal((await postForm(params, 'x', '../a.txt')).status, 400)
  const json = await fetch(params.direct_url, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(json.status, 400)
  clock.advance(14 * DAY_MS)
  assert.equal((await postForm(params, 'x', 'a.txt')).status, 403)
  assert.equal(await setUp(stage).stored(params.key.replace('${filename}', 'a.txt')), undefined)
})

test('an attached file comes with a link that needs no token, in parts too', async (t) => {
  const stage = await world(t)
  const { alice, office } = stage
  const { attach, filesOf } = setUp(stage)
  const name = `отчёт ${'длинный '.repeat(20)}.txt`
  const key = await upload(alice, name, '0123456789')
  const message_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
  await attach(actorOf(alice), { message_id }, [{ key, name, file_type: 'file', size: 99, duration_ms: 5 }])

  const attached = await filesOf(message_id)
  const [file] = attached?.files ?? []
  assert(file)
  const { url, id, ...rest } = file
  assert.deepEqual(rest, {
    key,
    name,
    file_type: 'file',
    width: null,
    height: null,
    duration_ms: null,
    size: 10,
  })
  assert.equal(attached?.voice_content, null)

  const whole = await fetch(url)
  assert.equal(whole.status, 200)
  assert.equal(await whole.text(), '0123456789')
  assert.match(whole.headers.get('content-disposition') ?? '', /^attachment; .*%D0%BE/)
  const part = await fetch(url, { headers: { range: 'bytes=2-4' } })
  assert.deepEqual([part.status, await part.text()], [206, '234'])
  const head = await fetch(url, { method: 'HEAD' })
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, '10'])
  assert.equal((await fetch(url, { headers: { range: 'bytes=20-' } })).status, 416)
  assert.equal((await fetch(url.replace(/expires=\d+/, 'expires=99999999999'))).status, 403)
})

test('a link is handed out again while it lives, and a new one in time', async (t) => {
  const stage = await world(t)
  const { alice, office, clock } = stage
  const { attach, filesOf } = setUp(stage)
  const key = await upload(alice, 'a.txt')
  const message_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
  await attach(actorOf(alice), { message_id }, [{ key, name: 'a.txt' }])

  const urls: string[] = []
  for (let hour = 0; hour <= 14 * 24; hour += 6) {
    const url = (await filesOf(message_id))?.files[0]?.url as string
    const left_ms = Number(new URL(url).searchParams.get('expires')) * 1000 - clock.now()
    assert(left_ms >= DAY_MS - 1000 && left_ms <= 7 * DAY_MS, `${left_ms}`)
    urls.push(url)
    clock.advance(DAY_MS / 4)
  }
  assert(new Set(urls).size <= 4)
  assert.equal((await fetch(urls[0] as string)).status, 403)
  assert.equal((await fetch(urls.at(-1) as string)).status, 200)
})

test('what a browser would run is only ever handed out for saving', async (t) => {
  const stage = await world(t)
  const { alice, office } = stage
  const { attach, filesOf } = setUp(stage)
  for (const name of ['page.html', 'drawing.svg', 'script.js', 'feed.xml', 'page']) {
    const key = await upload(alice, name, '<script>alert(1)</script>')
    const message_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
    await attach(actorOf(alice), { message_id }, [{ key, name, file_type: 'image' }])
    const reply = await fetch((await filesOf(message_id))?.files[0]?.url as string)
    assert.equal(reply.headers.get('content-type'), 'application/octet-stream', name)
    assert.match(reply.headers.get('content-disposition') ?? '', /^attachment/, name)
    assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
    assert.match(reply.headers.get('content-security-policy') ?? '', /sandbox/)
  }
})

test('files that may not be attached are refused, each with its code', async (t) => {
  const stage = await world(t)
  const { ctx, alice, bob } = stage
  const key = await upload(alice, 'a.TXT')
  const absent = key.replace('a.TXT', 'b.txt')
  const foreign = await upload(bob, 'a.txt')
  const voice = { key, name: 'a.txt', file_type: 'voice' as const }
  const cases: [FileInput[], string, string][] = [
    [[{ key: foreign, name: 'a.txt' }], 'files.0.key', 'wrong_params'],
    [[{ key: 'elsewhere/a.txt', name: 'a.txt' }], 'files.0.key', 'wrong_params'],
    [[{ key: `attaches/files/${alice.id}/../a.txt`, name: 'a.txt' }], 'files.0.key', 'wrong_params'],
    [
      [
        { key, name: 'a.txt' },
        { key: absent, name: 'b.txt' },
      ],
      'files.1.key',
      'not_found',
    ],
    [[{ key, name: 'a.pdf' }], 'files.0.name', 'wrong_params'],
    [[{ key, name: 'a' }], 'files.0.name', 'wrong_params'],
    [[{ key, name: ' ' }], 'files.0.name', 'blank'],
    [[{ key, name: 'a.txt', size: -1 }], 'files.0.size', 'invalid'],
    [[{ ...voice, waveform: 'x' }], 'files.0.duration_ms', 'blank'],
    [[{ ...voice, duration_ms: 5 }], 'files.0.waveform', 'blank'],
    [[{ ...voice, duration_ms: 1_800_001, waveform: 'x' }], 'files.0.duration_ms', 'invalid'],
    [
      [
        { ...voice, duration_ms: 5, waveform: 'x' },
        { key, name: 'a.txt' },
      ],
      'files',
      'wrong_params',
    ],
    [Array.from({ length: 11 }, () => ({ key, name: 'a.txt' })), 'files', 'too_long'],
  ]
  for (const [inputs, at, code] of cases) {
    const refused = checkFiles(ctx, actorOf(alice), inputs)
    await assert.rejects(refused, (error: { status: number; errors: { key: string; code: string }[] }) => {
      assert.equal(error.status, 422)
      assert.deepEqual([error.errors[0]?.key, error.errors[0]?.code], [at, code])
      return true
    })
  }
})

test('sound keeps its length, pictures the size they were sent with', async (t) => {
  const stage = await world(t)
  const { alice, office } = stage
  const { attach, filesOf } = setUp(stage)
  const key = await upload(alice, 'a.bin')
  const message_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
  const more = { width: 3, height: 4, duration_ms: 5, waveform: '0,1' }
  await attach(actorOf(alice), { message_id }, [
    { key, name: 'a.bin', file_type: 'image', ...more },
    { key, name: 'b.bin', file_type: 'video', ...more },
  ])
  const voice_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
  await attach(actorOf(alice), { message_id: voice_id }, [
    { key, name: 'c.bin', file_type: 'voice', ...more },
  ])

  const files = (await filesOf(message_id))?.files ?? []
  assert.deepEqual(
    files.map(({ name, width, height, duration_ms }) => ({ name, width, height, duration_ms })),
    [
      { name: 'a.bin', width: 3, height: 4, duration_ms: null },
      { name: 'b.bin', width: 3, height: 4, duration_ms: 5 },
    ],
  )
  assert.deepEqual((await filesOf(voice_id))?.voice_content, {
    duration_ms: 5,
    waveform: '0,1',
    transcript: null,
  })
})

test('a dropped file is erased once nothing uses its object', async (t) => {
  const stage = await world(t)
  const { ctx, alice, office, drain } = stage
  const { attach, stored } = setUp(stage)
  const key = await upload(alice, 'a.txt')
  const message_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
  const forward_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
  await attach(actorOf(alice), { message_id }, [{ key, name: 'a.txt' }])
  await transaction(ctx, (tx) => copyFiles(tx, ctx, { message_id }, { message_id: forward_id }))

  await transaction(ctx, (tx) => dropFilesOf(tx, ctx, { message_id }))
  await drain()
  assert.deepEqual(await stored(key), { size: 5 })

  await transaction(ctx, (tx) => dropFilesOf(tx, ctx, { message_id: forward_id }))
  await drain()
  assert.equal(await stored(key), undefined)
})

test('an edit keeps the ids of files that stay and drops the others', async (t) => {
  const stage = await world(t)
  const { ctx, alice, drain } = stage
  const { stored } = setUp(stage)
  const actor = actorOf(alice)
  const [one, two, three] = [
    await upload(alice, '1.txt'),
    await upload(alice, '2.txt'),
    await upload(alice, '3.txt'),
  ]
  const set = async (keys: string[]) => {
    const checked = await checkFiles(
      ctx,
      actor,
      keys.map((key) => ({ key, name: key.slice(-5) })),
    )
    return transaction(ctx, (tx) => replaceFiles(tx, ctx, actor, { draft_id: 5 }, checked))
  }
  const [first, second] = await set([one, two])
  const result = await set([three, two])
  await drain()

  assert.equal(result[1]?.id, second?.id)
  assert.notEqual(result[0]?.id, first?.id)
  const shown = (await loadDraftFiles(ctx, ctx.db, [5])).get(5)?.files.map(({ name }) => name)
  assert.deepEqual(shown, ['3.txt', '2.txt'])
  assert.equal(await stored(one), undefined)
  assert.deepEqual(await stored(two), { size: 5 })
})

test('a file that was sent cannot be uploaded over', async (t) => {
  const stage = await world(t)
  const { ctx, alice, office } = stage
  const params = await alice.call(getUploadParams)
  const key = params.key.replace('${filename}', 'a.txt')
  assert.equal((await postForm(params, 'draft', 'a.txt')).status, 204)
  assert.equal((await postForm(params, 'first', 'a.txt')).status, 204)
  const message_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
  await setUp(stage).attach(actorOf(alice), { message_id }, [{ key, name: 'a.txt' }])

  assert.equal((await postForm(params, 'second', 'a.txt')).status, 403)
  assert.equal((await buffer(await ctx.storage.read(key))).toString(), 'first')
})

test('what is being erased can no longer be attached', async (t) => {
  const stage = await world(t)
  const { ctx, alice, office } = stage
  const key = await upload(alice, 'a.txt')
  const message_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
  const checked = await checkFiles(ctx, actorOf(alice), [{ key, name: 'a.txt' }])
  await ctx.db.updateTable('loose_objects').set({ claimed: true }).where('key', '=', key).execute()

  const refused = transaction(ctx, (tx) => attachFiles(tx, ctx, actorOf(alice), { message_id }, checked))
  await assert.rejects(refused, { status: 422, code: 'not_found' })
})

test('an upload that nobody uses goes after 14 days, one that is used stays', async (t) => {
  const stage = await world(t)
  const { alice, office, clock, drain } = stage
  const { attach, stored } = setUp(stage)
  const [used, unused] = [await upload(alice, 'used.txt'), await upload(alice, 'unused.txt')]
  const message_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
  await attach(actorOf(alice), { message_id }, [{ key: used, name: 'used.txt' }])
  await drain()

  clock.advance(13 * DAY_MS)
  await drain()
  assert(await stored(unused))
  clock.advance(DAY_MS + 3_600_000)
  await drain()
  assert.equal(await stored(unused), undefined)
  assert(await stored(used))
})

test('a crash between dropping and erasing is made good by the sweep', async (t) => {
  const stage = await world(t)
  const { ctx, alice, office, clock, drain } = stage
  const { attach, stored } = setUp(stage)
  const key = await upload(alice, 'a.txt')
  const message_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
  const [file] = await attach(actorOf(alice), { message_id }, [{ key, name: 'a.txt' }])
  await drain()
  await transaction(ctx, (tx) => dropFiles(tx, ctx, [file?.id as number]))
  await ctx.db.deleteFrom('jobs').where('kind', '=', 'files.erase').execute()

  clock.advance(3_600_000)
  await drain()
  assert.equal(await stored(key), undefined)
})

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
  for (const addresses of [['10.0.0.0/8', '2001:db8::/32'], []]) {
    await settings.call(setPerimeter, { body: { addresses } })
    await assert.rejects(alice.call(downloadFile, { params }), {
      status: 403,
      code: 'confidential_download_denied',
    })
  }
})

test('an ordinary file has a link and is not downloaded by id', async (t) => {
  const stage = await world(t)
  const { alice, office } = stage
  const key = await upload(alice, 'a.txt')
  const message_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
  const [file] = await setUp(stage).attach(actorOf(alice), { message_id }, [{ key, name: 'a.txt' }])

  await assert.rejects(alice.call(downloadFile, { params: { id: file?.id as number } }), {
    status: 403,
    code: 'confidential_download_denied',
  })
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

test('a large file passes through in both directions', async (t) => {
  const stage = await world(t)
  const { ctx, alice } = stage
  const content = Buffer.alloc(20_000_000, 'block of a large file ')
  const key = await upload(alice, 'large.bin', content)
  assert((await buffer(await ctx.storage.read(key))).equals(content))
})
