import { pipeline } from 'node:stream/promises'
import type { downloadFile } from '@parley/contract'
import type { Call } from '../platform/http/route.js'
import { ensure, found } from '../platform/problem.js'
import { readRange } from '../platform/storage/byte-range.js'
import { mediaTypeOf, servedDisposition, servedType } from '../platform/storage/media-type.js'
import type { LostKeys } from './lost-keys.js'
import { type FileFor, findFileFor } from './queries.js'
import { mayDownload, mayReadFile } from './rules.js'
import { makeVariant } from './variants.js'

type Download = Call<typeof downloadFile>

/** Nothing that users upload may act in the name of our origin. */
const CONTAINMENT = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
  'cache-control': 'private, no-store',
}

/** Answers with the body of a protected file, whole, in part, or as a smaller picture. */
export async function download(call: Download, lostKeys: LostKeys): Promise<undefined> {
  const { ctx, actor, params, query } = call
  const file = found(await findFileFor(ctx.db, actor, params.id))
  const record = { type: 'File', id: file.id }
  ensure(mayReadFile(file), 'read', record)
  ensure(mayDownload(file, actor.ip_address), 'download', record)
  if (query.target && !ctx.storage.sealed) await sendVariant(call, file, query.target)
  else await sendOriginal(call, file, lostKeys)
}

async function sendVariant(call: Download, file: FileFor, target: string) {
  const { data, content_type, extension } = await makeVariant(call.ctx, call.actor, file, target)
  const name = file.name.replace(/\.[^.]*$/, extension)
  const headers = {
    'content-type': content_type,
    'content-disposition': servedDisposition('inline', content_type, name),
    'content-length': data.length,
  }
  start(call, 200, headers).end(data)
}

async function sendOriginal(call: Download, file: FileFor, lostKeys: LostKeys) {
  const { ctx, actor, request } = call
  const content_type = mediaTypeOf(file.name)
  const range = readRange(request.headers.range, file.size)
  const head = {
    'content-type': servedType(content_type),
    'content-disposition': servedDisposition('attachment', content_type, file.name),
    'accept-ranges': 'bytes',
  }
  if (range === 'unsatisfiable') {
    start(call, 416, { ...head, 'content-range': `bytes */${file.size}`, 'content-length': 0 }).end()
    return
  }
  const part = range === 'whole' ? undefined : range
  const body = await ctx.storage.read(file.key, part).catch(async (error) => {
    await lostKeys.note(ctx, actor, file, error)
    throw error
  })
  const length = part ? part.end - part.start + 1 : file.size
  const partial: Record<string, string> = part
    ? { 'content-range': `bytes ${part.start}-${part.end}/${file.size}` }
    : {}
  const stream = start(call, part ? 206 : 200, { ...head, ...partial, 'content-length': length })
  // A reader that goes away in the middle is no fault of ours.
  await pipeline(body, stream).catch((error) => ctx.log.debug({ err: error }, 'download failed'))
}

/** Takes the answer out of the framework's hands: it is a stream and no JSON. */
function start({ reply }: Download, status: number, headers: Record<string, string | number>) {
  reply.hijack()
  const kept = reply.getHeaders() as Record<string, string>
  return reply.raw.writeHead(status, { ...kept, ...CONTAINMENT, ...headers })
}
