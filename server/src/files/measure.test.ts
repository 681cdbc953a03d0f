import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import sharp from 'sharp'
import { sizeOf } from './measure.js'

const picture = sharp({ create: { width: 30, height: 20, channels: 3, background: 'teal' } })
const HEAD_BYTES = 256 * 1024
/** Of the processor: many times what any of these takes, and far less than a loop that does not end. */
const AT_MOST_MS = 1000

/** Tried again where it took long: other threads of the process count as well. */
async function attempt(head: Buffer, tries = 3): Promise<void> {
  const began = process.cpuUsage()
  try {
    const size = await sizeOf(head)
    if (size) for (const px of [size.width, size.height]) assert(px >= 1 && px <= 65_535)
  } catch (error) {
    assert(!(error instanceof assert.AssertionError), String(error))
  }
  const isQuick = process.cpuUsage(began).user / 1000 < AT_MOST_MS
  assert(isQuick || tries > 1)
  if (!isQuick) await attempt(head, tries - 1)
}

test('a photo is measured the way its camera was held', async () => {
  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const photo = await picture.clone().jpeg().withMetadata({ orientation }).toBuffer()
    const { autoOrient } = await sharp(photo).metadata()
    assert.deepEqual(await sizeOf(photo), autoOrient)
  }
})

test('a photo is measured by its beginning, whatever else its camera wrote', async () => {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 }
  const large = sharp({ create: { width: 900, height: 600, channels: 3, background: 'teal', noise } })
  const photo = await large.jpeg({ quality: 100 }).withMetadata({ orientation: 6 }).toBuffer()
  assert(photo.length > HEAD_BYTES)
  assert.deepEqual(await sizeOf(photo.subarray(0, HEAD_BYTES)), { width: 600, height: 900 })
})

test('a broken picture tells a size that can be, or none, and soon', async () => {
  const photo = await picture.clone().jpeg().withMetadata({ orientation: 6 }).toBuffer()
  const formats = ['jpeg', 'png', 'gif', 'webp'] as const
  const whole = await Promise.all(formats.map((format) => picture.clone().toFormat(format).toBuffer()))
  const change = fc.tuple(fc.nat(400), fc.nat(255))
  const broken = fc.tuple(fc.constantFrom(photo, ...whole), fc.array(change, { maxLength: 8 }), fc.nat(2000))
  await fc.assert(
    fc.asyncProperty(broken, async ([bytes, changes, length]) => {
      const head = Buffer.from(bytes.subarray(0, length))
      for (const [at, byte] of changes) if (at < head.length) head[at] = byte
      await attempt(head)
    }),
    { seed: 20_261_117 },
  )
})

test('content made to be slow is not', async () => {
  const fills = [[0], [0xff], [0, 0xff], [0, 2, 0xff], [0, 8, ...Buffer.from('Exif'), 0, 0, 0xff, 0xe1]]
  for (const fill of fills) {
    const head = Buffer.alloc(HEAD_BYTES, Buffer.from(fill))
    Buffer.from([0xff, 0xd8, 0xff, 0xe1]).copy(head)
    await attempt(head)
  }
})
