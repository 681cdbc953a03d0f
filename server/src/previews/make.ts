import { randomUUID } from 'node:crypto'
import { extractLinks } from '@parley/contract'
import type { Sharp } from 'sharp'
import { eraseLater } from '../files/erase.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { OutboundError } from '../platform/outbound/error.js'
import { createThread, type Thread } from '../platform/thread.js'
import { DAY_MS } from '../platform/time.js'
import { USER_AGENT } from '../platform/version.js'
import { replacePreviews } from './actions.js'
import type { PageFacts } from './open-graph.js'
import type { PageQuestion } from './page-thread.js'
import { findContent, hasPreviews, lockFreshMessage, type NewPreview } from './queries.js'

const TIMEOUT_MS = 5_000
const BYTES_AT_MOST = 1024 * 1024
const SIDE_PX = 640
const KEPT_UNUSED_MS = DAY_MS
const PICTURES = new Set(['jpeg', 'png', 'gif', 'webp'])

/** Asks for a page or a picture; undefined where there is no plain answer. */
async function ask(ctx: Context, url: string, accept: string) {
  try {
    const answer = await ctx.outbound_public.request({
      url,
      method: 'GET',
      headers: { Accept: accept, 'User-Agent': `${USER_AGENT} (link preview)` },
      timeout_ms: TIMEOUT_MS,
      max_bytes: BYTES_AT_MOST,
    })
    return answer.status === 200 ? answer : undefined
  } catch (error) {
    if (error instanceof OutboundError) return undefined
    throw error
  }
}

async function shrink(picture: Sharp): Promise<Buffer | null> {
  if (!PICTURES.has((await picture.metadata()).format)) return null
  const size = { width: SIDE_PX, height: SIDE_PX, fit: 'inside' as const, withoutEnlargement: true }
  return picture.rotate().resize(size).webp({ quality: 80 }).toBuffer()
}

/**
 * Keeps a copy of the page's picture in our storage, scaled down and re-encoded, so that readers do not call the page's
 * host and nothing but pixels reaches them.
 */
async function keepPicture(ctx: Context, url: string): Promise<string | null> {
  const answer = await ask(ctx, url, 'image/*')
  if (!answer || answer.truncated) return null
  const data = await ctx.pictures.draw('previews', answer.body, shrink).catch(() => null)
  if (!data) return null
  const key = `previews/${randomUUID()}.webp`
  // Noted first: a crash leaves no picture that nobody would ever erase.
  await transaction(ctx, (tx) => eraseLater(tx, [key], new Date(ctx.clock.now() + KEPT_UNUSED_MS)))
  await ctx.storage.write(key, data, 'image/webp')
  return key
}

export type PageReader = Thread<PageQuestion, PageFacts | null>

/**
 * Reads pages of strangers in a thread: a parser that one of them keeps busy is stopped there. The thread gives way to all other
 * work, so that on a busy machine it may wait for a core much longer than it works.
 */
export function createPageReader(): PageReader {
  return createThread(new URL('./page-thread.js', import.meta.url), { time_ms: 20_000, memory_mb: 64 })
}

async function previewOf(ctx: Context, pages: PageReader, url: string): Promise<NewPreview | undefined> {
  const answer = await ask(ctx, url, 'text/html,application/xhtml+xml')
  const type = answer?.headers['content-type'] ?? ''
  if (!answer || !/^(text\/html|application\/xhtml\+xml)\b/i.test(type)) return undefined
  const page = await pages.ask({ url, body: answer.body, content_type: type })
  if (!page) return undefined
  const { title, description } = page
  return { url, title, description, image_key: page.image_url && (await keepPicture(ctx, page.image_url)) }
}

/** Makes the preview of a message's first link, unless the message was changed or a bot was faster. */
export async function makePreview(ctx: Context, pages: PageReader, messageId: number) {
  const content = await findContent(ctx.db, messageId)
  const url = content && extractLinks(content)[0]
  if (!url || (await hasPreviews(ctx.db, messageId))) return
  const preview = await previewOf(ctx, pages, url)
  if (!preview) return
  await transaction(ctx, async (tx) => {
    const message = await lockFreshMessage(tx, messageId)
    if (!message || (await hasPreviews(tx, messageId))) return
    await replacePreviews(tx, ctx, message, message, [preview])
  })
}
