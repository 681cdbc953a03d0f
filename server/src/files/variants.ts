import { buffer } from 'node:stream/consumers'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { Problem } from '../platform/problem.js'
import type { FileRow } from './queries.js'

const SIDE_PX: Record<string, number> = { thumb: 320, image: 2048 }
const FORMATS = new Set(['jpeg', 'png', 'gif', 'webp'])
const ENDINGS = /\.(jpe?g|png|gif|webp)$/i
const BYTES_AT_MOST = 64 * 1024 * 1024

type Picture = Pick<FileRow, 'key' | 'name' | 'size'>

/** Whether a smaller picture can be made of it, judging by name and size. */
export function mayBePicture({ name, size }: Pick<Picture, 'name' | 'size'>): boolean {
  return ENDINGS.test(name) && size <= BYTES_AT_MOST
}

/** The picture as WebP, no larger than this. */
export async function shrink(
  ctx: Context,
  holder: number | string,
  file: Picture,
  size: { width: number; height?: number },
  refused: Problem,
): Promise<Buffer> {
  const source = await buffer(await ctx.storage.read(file.key))
  return ctx.pictures
    .draw(holder, source, async (picture) => {
      // A name says nothing of the content; other formats, such as drawings with links, are not opened.
      if (!FORMATS.has((await picture.metadata()).format)) throw refused
      const resized = picture.rotate().resize({ ...size, fit: 'inside', withoutEnlargement: true })
      return resized.webp({ quality: 80 }).toBuffer()
    })
    .catch((error) => {
      throw error instanceof Problem ? error : refused
    })
}

/** A smaller picture of a picture; 400 for anything that has none. */
export async function makeVariant(ctx: Context, actor: Actor, file: FileRow, target: string) {
  const refused = new Problem(400, 'invalid', {
    key: 'target',
    value: target,
    message: `must be one of ${Object.keys(SIDE_PX).join(', ')}, of a picture`,
  })
  const side = SIDE_PX[target]
  if (side === undefined || !mayBePicture(file)) throw refused
  const data = await shrink(ctx, actor.user_id, file, { width: side, height: side }, refused)
  return { data, content_type: 'image/webp', extension: '.webp' }
}
