import type { Metadata, Sharp } from 'sharp'
import { Problem } from '../platform/problem.js'

const SIDE_PX = 1024
const PIXELS_MAX = 64_000_000
const ANIMATED_MAX_BYTES = 2 * 1024 * 1024

export interface Fitted {
  data: Buffer
  extension: 'jpg' | 'png' | 'gif'
}

/** At most 1024 pixels a side, without what cameras write beside the picture; animations stay as they are. */
export async function fitImage(bytes: Buffer): Promise<Fitted> {
  // Loaded with the first picture, so that a server that never sees one does not carry the library.
  const { default: sharp } = await import('sharp')
  const image = sharp(bytes, { limitInputPixels: PIXELS_MAX })
  try {
    return await fitted(bytes, image, await image.metadata())
  } catch (error) {
    throw error instanceof Problem ? error : new Problem(422, 'invalid', { key: 'image' })
  }
}

async function fitted(
  bytes: Buffer,
  image: Sharp,
  { format, pages = 1, hasAlpha }: Metadata,
): Promise<Fitted> {
  const small = image
    .autoOrient()
    .resize({ width: SIDE_PX, height: SIDE_PX, fit: 'inside', withoutEnlargement: true })
  if (format === 'gif' && pages > 1) {
    if (bytes.length > ANIMATED_MAX_BYTES) throw new Problem(422, 'too_long', { key: 'image' })
    return { data: bytes, extension: 'gif' }
  }
  if (format === 'gif') return { data: await small.gif().toBuffer(), extension: 'gif' }
  if (format === 'png' && hasAlpha && !(await image.clone().stats()).isOpaque)
    return { data: await small.png().toBuffer(), extension: 'png' }
  if (format === 'png' || format === 'jpeg')
    return { data: await small.jpeg({ quality: 88 }).toBuffer(), extension: 'jpg' }
  throw new Problem(422, 'invalid', { key: 'image' })
}
