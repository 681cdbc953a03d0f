import { buffer } from 'node:stream/consumers'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { Problem } from '../platform/problem.js'
import type { FileRow } from './queries.js'

const SIDE_PX: Record<string, number> = { thumb: 320, image: 2048 }
const FORMATS = new Set(['jpeg', 'png', 'gif', 'webp'])
const ENDINGS = /\.(jpe?g|png|gif|webp)$/i
const BYTES_AT_MOST = 64 * 1024 * 1024

/** A smaller picture of a picture; 400 for anything that has none. */
export async function makeVariant(ctx: Context, actor: Actor, file: FileRow, target: string) {
  const refused = new Problem(400, 'invalid', { key: 'target', value: target })
  const side = SIDE_PX[target]
  if (side === undefined || !ENDINGS.test(file.name) || file.size > BYTES_AT_MOST) throw refused

  const source = await buffer(await ctx.storage.read(file.key))
  const size = { width: side, height: side, fit: 'inside' as const, withoutEnlargement: true }
  const data = await ctx.pictures
    .draw(actor.user_id, source, async (picture) => {
      // A name says nothing of the content; other formats, such as drawings with links, are not opened.
      if (!FORMATS.has((await picture.metadata()).format)) throw refused
      return picture.rotate().resize(size).webp({ quality: 80 }).toBuffer()
    })
    .catch((error) => {
      throw error instanceof Problem ? error : refused
    })
  return { data, content_type: 'image/webp', extension: '.webp' }
}
