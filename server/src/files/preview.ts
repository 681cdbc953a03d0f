import { Readable } from 'node:stream'
import type { File } from '@parley/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../platform/context.js'
import { Problem } from '../platform/problem.js'
import { downloadQuery, judgeLink, signLink } from '../platform/storage/download-link.js'
import { NoSuchObject } from '../platform/storage/storage.js'
import { downloadUrl, linkEnd, presentFile } from './present.js'
import { type FileRow, findFile, hasPerimeter } from './queries.js'
import { mayBePicture, shrink } from './variants.js'

const PATH = '/storage/previews/'
const WIDTH_PX = 720
const NO_PREVIEW = new Problem(400, 'invalid', {
  key: 'id',
  message: 'this file is not a picture that has a preview',
})

/** Where the preview of an object is kept; it goes with the object. */
export function previewKeyOf(key: string): string {
  return `previews/${key}.webp`
}

const signed = (fileId: number) => `preview:${fileId}`

/** A link to a smaller picture, made when it is first asked for; null where the file is no picture. */
export function previewUrlOf(ctx: Context, file: File): string | null {
  if (file.file_type !== 'image' || !mayBePicture({ name: file.name, size: file.size ?? 0 })) return null
  if (file.url === downloadUrl(ctx, file.id)) return `${file.url}?target=image`
  const expires_at = linkEnd(file.id, ctx.clock.now())
  const query = signLink(ctx.secret, signed(file.id), { expires_at, filename: '', disposition: 'inline' })
  return `${ctx.config.public_url}${PATH}${file.id}?${query}`
}

/** Draws the preview and keeps it, unless its file went away meanwhile. */
async function make(ctx: Context, file: FileRow): Promise<Buffer> {
  const data = await shrink(ctx, `preview:${file.owner_id}`, file, { width: WIDTH_PX }, NO_PREVIEW)
  const key = previewKeyOf(file.key)
  await ctx.storage.write(key, data, 'image/webp')
  if (!(await findFile(ctx.db, file.id))) await ctx.storage.remove(key)
  return data
}

function createPreviews(ctx: Context) {
  /** Many ask for a new picture at once; it is drawn once. */
  const making = new Map<string, Promise<Buffer>>()
  return async (file: FileRow): Promise<Readable> => {
    try {
      return await ctx.storage.read(previewKeyOf(file.key))
    } catch (error) {
      if (!(error instanceof NoSuchObject)) throw error
    }
    const work = making.get(file.key) ?? make(ctx, file).finally(() => making.delete(file.key))
    making.set(file.key, work)
    return Readable.from([await work])
  }
}

/** Serves previews to holders of a signed link; redirects to the original if no preview can be made. */
export function previewFileRoutes(app: FastifyInstance, ctx: Context) {
  const readPreview = createPreviews(ctx)

  async function serve(request: FastifyRequest, reply: FastifyReply) {
    const id = Number((request.params as { id: string }).id)
    const link = judgeLink(ctx.secret, signed(id), downloadQuery(request.query), ctx.clock.now())
    if (!link.ok) return reply.status(403).send()
    const file = await findFile(ctx.db, id)
    if (!file) return reply.status(404).send()
    if (await hasPerimeter(ctx.db)) return reply.status(403).send()
    try {
      const body = await readPreview(file)
      const max_age_s = Math.max(0, Math.floor((link.expires_at.getTime() - ctx.clock.now()) / 1000))
      return reply
        .headers({
          'Content-Type': 'image/webp',
          'Cache-Control': `private, max-age=${max_age_s}`,
          'Content-Security-Policy': "sandbox; default-src 'none'",
        })
        .send(body)
    } catch (error) {
      ctx.log.debug({ err: error, file_id: id }, 'preview failed')
      return reply.redirect((await presentFile(ctx, file, false)).url)
    }
  }

  app.get(`${PATH}:id`, serve)
}
