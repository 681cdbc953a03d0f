import type { Sharp } from 'sharp'
import type { Pictures } from '../platform/pictures/pictures.js'
import { Problem } from '../platform/problem.js'

const SIDE_PX = 1024
const ANIMATED_MAX_BYTES = 2 * 1024 * 1024

export interface Fitted {
  data: Buffer
  extension: 'jpg' | 'png' | 'gif'
}

const SIGNATURES = [[0xff, 0xd8, 0xff], [0x89, ...Buffer.from('PNG')], [...Buffer.from('GIF8')]]

/** Looked at before the library sees the bytes: it would open many more formats than these. */
function isPicture(bytes: Buffer): boolean {
  return SIGNATURES.some((signature) => signature.every((byte, index) => bytes[index] === byte))
}

/** At most 1024 pixels a side, without the metadata of cameras; animations stay as they are. */
export async function fitImage(pictures: Pictures, userId: number, bytes: Buffer): Promise<Fitted> {
  if (!isPicture(bytes))
    throw new Problem(422, 'invalid', { key: 'image', message: 'must be a picture: JPEG, PNG or GIF' })
  try {
    return await pictures.draw(userId, bytes, (picture, open) => fitted(bytes, picture, open))
  } catch (error) {
    throw error instanceof Problem
      ? error
      : new Problem(422, 'invalid', { key: 'image', message: 'must be a picture: JPEG, PNG or GIF' })
  }
}

async function fitted(bytes: Buffer, picture: Sharp, open: (bytes: Buffer) => Sharp): Promise<Fitted> {
  const { format, pages = 1, hasAlpha } = await picture.metadata()
  const small = picture
    .autoOrient()
    .resize({ width: SIDE_PX, height: SIDE_PX, fit: 'inside', withoutEnlargement: true })
  if (format === 'gif' && pages > 1) {
    if (bytes.length > ANIMATED_MAX_BYTES) {
      const message = `an animation has at most ${ANIMATED_MAX_BYTES} bytes, got ${bytes.length}`
      throw new Problem(422, 'too_long', { key: 'image', message })
    }
    return { data: bytes, extension: 'gif' }
  }
  if (format === 'gif') return { data: await small.gif().toBuffer(), extension: 'gif' }
  if (format === 'png' && hasAlpha) {
    // Asked of the small picture: the statistics of a large one cost ten times its decoding.
    const data = await small.png().toBuffer()
    if (!(await open(data).stats()).isOpaque) return { data, extension: 'png' }
    return { data: await open(data).jpeg({ quality: 88 }).toBuffer(), extension: 'jpg' }
  }
  if (format === 'png' || format === 'jpeg')
    return { data: await small.jpeg({ quality: 88 }).toBuffer(), extension: 'jpg' }
  throw new Problem(422, 'invalid', { key: 'image', message: 'must be a picture: JPEG, PNG or GIF' })
}
