import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import {
  type ApiErrorItem,
  type AvatarData,
  deleteOwnAvatar,
  deleteUserAvatar,
  getProfile,
  setOwnAvatar,
  setUserAvatar,
  type User,
} from '@parley/contract'
import sharp from 'sharp'
import { createPictures } from '../platform/pictures/pictures.js'
import { type Person, type World, world } from '../testing/world.js'

const RED = { r: 200, g: 30, b: 30 }

function picture(width: number, height: number, alpha = 1) {
  return sharp({ create: { width, height, channels: 4, background: { ...RED, alpha } } })
}

async function animation(frames: number, side = 8): Promise<Buffer> {
  const raw = randomBytes(side * side * frames * 3)
  return sharp(raw, { raw: { width: side, height: side * frames, channels: 3, pageHeight: side } })
    .gif()
    .toBuffer()
}

/** The same animation, longer by so many bytes: comments precede the trailer byte of a GIF. */
function withComments(gif: Buffer, bytes: number): Buffer {
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe, 0xff]), Buffer.alloc(255, 'x'), Buffer.from([0])])
  const comments = Array.from({ length: Math.ceil(bytes / comment.length) }, () => comment)
  return Buffer.concat([gif.subarray(0, -1), ...comments, gif.subarray(-1)])
}

/** A black square of one bit a pixel, written by hand: it costs nothing to make. */
function blackPng(side: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(name), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head[8] = 1
  const lines = deflateSync(Buffer.alloc((1 + Math.ceil(side / 8)) * side), { level: 1 })
  const start = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([start, chunk('IHDR', head), chunk('IDAT', lines), chunk('IEND', Buffer.alloc(0))])
}

async function upload(
  { url }: World,
  person: Person,
  image: Buffer | string | null,
  path = '/profile/avatar',
  field = 'image',
) {
  const form = new FormData()
  form.set('other', 'ignored')
  if (image !== null) form.set(field, new Blob([new Uint8Array(Buffer.from(image))]), 'me.png')
  const response = await fetch(`${url}/v1${path}`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${person.token}` },
    body: form,
  })
  const body = (await response.json()) as { data?: AvatarData; errors?: [ApiErrorItem] }
  const { image_url = '' } = body.data ?? {}
  return { status: response.status, image_url, error: body.errors?.[0] }
}

async function shown(image_url: string) {
  const response = await fetch(image_url)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { response, bytes, ...(await sharp(bytes).metadata()) }
}

test('a picture is cut down to 1024 pixels and served as nothing but a picture', async (t) => {
  const stage = await world(t)
  const { alice, events } = stage
  const { status, image_url } = await upload(stage, alice, await picture(3000, 1500).jpeg().toBuffer())
  assert.equal(status, 200)
  assert.equal((await alice.call(getProfile)).data.image_url, image_url)
  const { response, format, width, height } = await shown(image_url)
  assert.deepEqual([format, width, height], ['jpeg', 1024, 512])
  assert.equal(response.headers.get('content-type'), 'image/jpeg')
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  assert.match(response.headers.get('content-security-policy') ?? '', /sandbox/)
  assert.deepEqual(
    (await events()).map(({ type, payload }) => [type, payload.user_id]),
    [['user.avatar_changed', alice.id]],
  )
})

test('an opaque png becomes a jpg, one that is seen through stays png', async (t) => {
  const stage = await world(t)
  const opaque = await upload(stage, stage.alice, await picture(10, 10).png().toBuffer())
  assert.equal((await shown(opaque.image_url)).format, 'jpeg')
  const clear = await upload(stage, stage.alice, await picture(10, 10, 0.5).png().toBuffer())
  const { format, width } = await shown(clear.image_url)
  assert.deepEqual([format, width], ['png', 10])
})

test('an animated gif stays as it is, up to two megabytes', async (t) => {
  const stage = await world(t)
  const small = await animation(3)
  const { image_url } = await upload(stage, stage.alice, small)
  const { bytes, response } = await shown(image_url)
  assert.ok(bytes.equals(small))
  assert.equal(response.headers.get('content-type'), 'image/gif')
  const big = withComments(small, 2 * 1024 * 1024)
  assert.equal((await sharp(big).metadata()).pages, 3)
  const refused = await upload(stage, stage.alice, big)
  assert.deepEqual([refused.status, refused.error?.code, refused.error?.key], [422, 'too_long', 'image'])
})

test('what is no picture of the four kinds is refused', async (t) => {
  const stage = await world(t)
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>'
  const webp = await picture(10, 10).webp().toBuffer()
  const torn = (await picture(300, 300).png().toBuffer()).subarray(0, 100)
  for (const image of [svg, webp, torn, 'text']) {
    const { status, error } = await upload(stage, stage.alice, image)
    assert.deepEqual([status, error?.code, error?.key], [422, 'invalid', 'image'])
  }
})

test('a missing picture is blank, and one over ten megabytes too long', async (t) => {
  const stage = await world(t)
  const image = await picture(10, 10).png().toBuffer()
  for (const attempt of [
    await upload(stage, stage.alice, null),
    await upload(stage, stage.alice, ''),
    await upload(stage, stage.alice, image, '/profile/avatar', 'photo'),
  ])
    assert.deepEqual([attempt.status, attempt.error?.code, attempt.error?.key], [422, 'blank', 'image'])
  const json = stage.alice.call(setOwnAvatar, { body: { image: 'x' } })
  await assert.rejects(json, { status: 422, code: 'blank' })
  const huge = await upload(stage, stage.alice, Buffer.alloc(10 * 1024 * 1024 + 1))
  assert.deepEqual([huge.status, huge.error?.code], [422, 'too_long'])
})

test('a new picture replaces the old one, and a removed one is gone', async (t) => {
  const stage = await world(t)
  const { alice, drain } = stage
  const image = await picture(10, 10).jpeg().toBuffer()
  const first = await upload(stage, alice, image)
  const second = await upload(stage, alice, image)
  await drain()
  assert.equal((await fetch(first.image_url)).status, 404)
  assert.equal((await fetch(second.image_url)).status, 200)
  await alice.call(deleteOwnAvatar)
  await alice.call(deleteOwnAvatar)
  await drain()
  assert.equal((await fetch(second.image_url)).status, 404)
  const { data }: { data: User } = await alice.call(getProfile)
  assert.equal(data.image_url, null)
})

test('owner and admins change the pictures of others, but that of the owner is his own', async (t) => {
  const stage = await world(t)
  const { owner, admin, alice, bob, bot, as } = stage
  const image = await picture(10, 10).jpeg().toBuffer()
  const pathOf = ({ id }: { id: number }) => `/users/${id}/avatar`
  assert.equal((await upload(stage, admin, image, pathOf(bob))).status, 200)
  assert.equal((await upload(stage, owner, image, pathOf(owner))).status, 200)
  const denied = await upload(stage, admin, image, pathOf(owner))
  assert.deepEqual([denied.status, denied.error?.code], [403, 'owner_protected'])
  await assert.rejects(admin.call(deleteUserAvatar, { params: { user_id: owner.id } }), {
    status: 403,
    code: 'owner_protected',
  })
  for (const person of [alice, bot]) {
    const token = await as(person.id, { scopes: ['user_avatar:write'] })
    const input = { params: { user_id: bob.id } }
    await assert.rejects(token.call(deleteUserAvatar, input), { status: 403, code: 'role_forbidden' })
    await assert.rejects(token.call(setUserAvatar, { ...input, body: { image: '' } }), {
      status: 403,
      code: 'role_forbidden',
    })
  }
  await admin.call(deleteUserAvatar, { params: { user_id: bob.id } })
  assert.equal((await upload(stage, admin, image, '/users/999999/avatar')).status, 404)
  await assert.rejects(admin.call(deleteUserAvatar, { params: { user_id: 999_999 } }), { status: 404 })
  assert.equal((await upload(stage, bot, image)).status, 200)
})

test('only names of pictures open anything', async (t) => {
  const { url } = await world(t)
  for (const name of ['x', '..%2f..%2fetc%2fpasswd', `${'a'.repeat(24)}.svg`, `${'a'.repeat(24)}.jpg`])
    assert.equal((await fetch(`${url}/avatars/${name}`)).status, 404)
})

test('without the image library a picture is refused for now, and nothing breaks', async (t) => {
  const stage = await world(t)
  stage.ctx.pictures = createPictures({ load: () => Promise.reject(new Error('Could not load the module')) })
  const { status, error } = await upload(stage, stage.alice, await picture(4, 4).png().toBuffer())
  assert.equal(status, 503)
  assert.equal(error?.code, 'service_unavailable')
  assert.equal(error?.message, 'pictures cannot be read on this server')
})

test('a picture of too many pixels is refused, one of 36 million is not', async (t) => {
  const stage = await world(t)
  const { alice } = stage
  const huge = blackPng(7000)
  assert.equal((await upload(stage, alice, huge)).error?.code, 'invalid')
  assert.equal((await upload(stage, alice, blackPng(6000))).status, 200)
})

test('pictures sent at once are drawn one after the other', async (t) => {
  const stage = await world(t)
  const { alice, bob, ctx } = stage
  const { draw } = ctx.pictures
  let [drawing, most] = [0, 0]
  ctx.pictures = {
    draw: (holder, bytes, work) =>
      draw(holder, bytes, async (opened, open) => {
        most = Math.max(most, ++drawing)
        return work(opened, open).finally(() => (drawing -= 1))
      }),
  }
  const image = await picture(300, 300).png().toBuffer()
  const answers = await Promise.all(
    [alice, bob, alice, bob, alice, bob].map((person) => upload(stage, person, image)),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.ok(most <= 2)
})
