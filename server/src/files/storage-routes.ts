import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../platform/context.js'
import { bucketsFor, takeRate } from '../platform/http/admit.js'
import { type DiskStorage, DOWNLOAD_PATH, UPLOAD_PATH } from '../platform/storage/disk.js'
import { downloadQuery } from '../platform/storage/download-link.js'
import type { S3Storage } from '../platform/storage/s3.js'
import type { Storage } from '../platform/storage/storage.js'
import { DAY_MS } from '../platform/time.js'
import { upsertLooseObjects } from './queries.js'
import { uploadRules } from './upload-rules.js'

/** How long an uploaded object waits for a message or a draft. */
export const UNUSED_MS = 14 * DAY_MS

/** Whether this server is its own storage and serves uploads and downloads itself. */
export function isDisk(storage: Storage): storage is DiskStorage {
  return 'acceptUpload' in storage
}

/** Whether clients upload to a store that is none of this server, and that can be asked what it has. */
export function isS3(storage: Storage): storage is S3Storage {
  return 'list' in storage
}

async function takeUploadRate(ctx: Context, request: FastifyRequest) {
  try {
    await takeRate(ctx, bucketsFor('upload', { address: request.ip }))
  } catch (error) {
    request.raw.resume()
    throw error
  }
}

/** What a large form still sends is not waited for longer than this. */
const REST_MS = 1_000

/** Reads and throws away what a refused form still sends: a connection that closes before loses the answer. */
async function dropRest(body: IncomingMessage) {
  const signal = AbortSignal.timeout(REST_MS)
  await finished(body.resume(), { signal, cleanup: true }).catch(() => {})
}

async function upload(ctx: Context, storage: DiskStorage, request: FastifyRequest, reply: FastifyReply) {
  await takeUploadRate(ctx, request)
  const {
    status,
    code = '',
    message = '',
    key,
  } = await storage.acceptUpload(
    request.headers,
    request.raw,
    uploadRules(ctx, new Date(ctx.clock.now() - UNUSED_MS)),
  )
  if (key) await upsertLooseObjects(ctx.autocommit, [key], new Date(ctx.clock.now() + UNUSED_MS))
  else await dropRest(request.raw)
  const stays = status === 204 || request.raw.readableEnded
  reply.status(status).header('Connection', stays ? 'keep-alive' : 'close')
  return status === 204 ? reply.send() : reply.type('application/xml').send(errorDocument(code, message))
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** The error document of S3, which clients of its forms parse. */
function errorDocument(code: string, message: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no way to write control characters.
  const plain = message.replaceAll(/[\u0000-\u001f]/g, ' ')
  const text = plain.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] as string)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${text}</Message></Error>\n`
}

async function serve(storage: DiskStorage, request: FastifyRequest, reply: FastifyReply) {
  const { range, 'if-range': if_range, 'if-none-match': if_none_match } = request.headers
  const { status, headers, body } = await storage.serveDownload({
    key: (request.params as { '*': string })['*'],
    query: downloadQuery(request.query),
    method: request.method as 'GET' | 'HEAD',
    range,
    if_range: typeof if_range === 'string' ? if_range : undefined,
    if_none_match,
  })
  return reply.status(status).headers(headers).send(body)
}

/** The addresses of the storage, where it is a folder of this machine: signed forms come in, signed links go out. */
export function storageRoutes(app: FastifyInstance, ctx: Context) {
  const { storage } = ctx
  if (!isDisk(storage)) return
  app.post(UPLOAD_PATH, (request, reply) => upload(ctx, storage, request, reply))
  app.route({
    method: ['GET', 'HEAD'],
    url: `${DOWNLOAD_PATH}*`,
    handler: (request, reply) => serve(storage, request, reply),
  })
}
