import { addAbortSignal } from 'node:stream'
import { imageDimensionsFromData } from 'image-dimensions'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { loadLibrary } from '../platform/pictures/library.js'
import type { FileInput } from './check-files.js'
import { isOwnKey } from './rules.js'

/** The size is near the beginning; only a photo may have metadata, a colour profile and a thumbnail before it. */
const HEAD_BYTES = 256 * 1024
/** The sender waits for it, and a store may stall in the middle of an answer. */
const READ_AT_MOST_MS = 2000
/** The most that JPEG and GIF can say; a PNG that claims more is none that anybody can show. */
const SIDE_AT_MOST = 65_535
/** Checked before the library sees the bytes: it also opens containers that carry no orientation. */
const SIGNATURES = ['\xff\xd8\xff', '\x89PNG', 'GIF8', 'RIFF'].map((start) => Buffer.from(start, 'latin1'))
const EXIF = Buffer.from('Exif\0\0')

/** Where a file carries its size until it is kept: under a symbol, as no body of a caller can hold one. */
export const MEASURED = Symbol('measured')

export interface Size {
  width: number
  height: number
}

const isSide = (px: number) => px >= 1 && px <= SIDE_AT_MOST

/** Of the eight ways in which a camera can be held, the last four lay the picture on its side. */
async function isTurned(head: Buffer): Promise<boolean> {
  if (!head.includes(EXIF)) return false
  const sharp = await loadLibrary()
  // Nothing is decoded, so the number of pixels costs nothing.
  const { orientation = 1 } = await sharp(head, { limitInputPixels: false }).metadata()
  return orientation >= 5
}

/** The size of a picture as it is shown, from its first bytes; undefined where they do not contain it. */
export async function sizeOf(head: Buffer): Promise<Size | undefined> {
  if (!SIGNATURES.some((signature) => signature.equals(head.subarray(0, signature.length)))) return undefined
  const told = imageDimensionsFromData(head)
  if (!told || !isSide(told.width) || !isSide(told.height)) return undefined
  const { width, height } = told
  const turned = told.type === 'jpeg' && (await isTurned(head))
  return turned ? { width: height, height: width } : { width, height }
}

async function readHead({ storage }: Context, key: string): Promise<Buffer> {
  const content = await storage.read(key, { start: 0, end: HEAD_BYTES - 1 })
  addAbortSignal(AbortSignal.timeout(READ_AT_MOST_MS), content)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of content) {
    chunks.push(chunk)
    length += chunk.length
    // A store may answer with the whole where a part was asked for.
    if (length >= HEAD_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, HEAD_BYTES)
}

/** A file is accepted also where its content cannot be read or measured. */
async function readSize(ctx: Context, key: string): Promise<Size | undefined> {
  try {
    return await sizeOf(await readHead(ctx, key))
  } catch (error) {
    ctx.log.debug({ err: error }, 'reading the size of a picture failed')
    return undefined
  }
}

function lacksSize({ file_type, width, height, [MEASURED]: measured }: FileInput): boolean {
  const unknown = (width ?? null) === null && (height ?? null) === null
  return file_type === 'image' && unknown && measured === undefined
}

/**
 * Gives the pictures among these files that came without a size the size in their content. It asks the storage,
 * so it leaves them as they are while the transaction of an idempotent write is open: `measureIn` came before it.
 */
export async function measureImages<F extends FileInput>(
  ctx: Context,
  actor: Actor,
  files: readonly F[],
): Promise<F[]> {
  if (ctx.tx) return [...files]
  return Promise.all(
    files.map(async (file) => {
      if (!lacksSize(file) || !isOwnKey(actor, file.key)) return file
      return { ...file, [MEASURED]: (await readSize(ctx, file.key)) ?? null }
    }),
  )
}

/** The same for a body that was checked and carries the files of its message or draft. */
export function measureIn<K extends 'message' | 'draft'>(field: K) {
  return async (call: { ctx: Context; actor: Actor; body: unknown }) => {
    const body = call.body as Record<K, { files?: FileInput[] }>
    const files = await measureImages(call.ctx, call.actor, body[field].files ?? [])
    return files.length === 0 ? body : { ...body, [field]: { ...body[field], files } }
  }
}
