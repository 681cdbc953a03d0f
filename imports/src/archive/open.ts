import { open, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { constants, gunzipSync } from 'node:zlib'
import { type Archive, ArchiveError, LIMITS } from './archive.js'
import { openFolderArchive } from './folder.js'
import { openTarArchive } from './tar.js'
import { openZipArchive } from './zip.js'

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

const MONGO_MAGIC = 0x8199e26d

/** Whether a file begins as `mongodump --archive` writes it. */
function isMongoArchive(head: Buffer): boolean {
  return head.length >= 4 && head.readUInt32LE(0) === MONGO_MAGIC
}

/** Its parser reserves 17 MB, so that it is loaded only where it is needed. */
async function openMongo(path: string, gzipped: boolean, limits: typeof LIMITS): Promise<Archive> {
  const { openMongoArchive } = await import('./mongo.js')
  return openMongoArchive(path, gzipped, limits)
}

async function freeBytes(): Promise<number> {
  const { bavail, bsize } = await statfs(tmpdir())
  return bavail * bsize
}

/** The first bytes of what a gzipped file holds. */
function unpackedHead(head: Buffer): Buffer {
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 1024 * 1024 })
  } catch {
    return Buffer.alloc(0)
  }
}

/** Opens a ZIP, a tar or an archive of mongodump (gzipped or not) or a folder, told by what it holds, not by its name. */
export async function openArchive(path: string): Promise<Archive> {
  const info = await stat(path).catch(() => {
    throw new ArchiveError(`${path} is not there or cannot be read`)
  })
  const limits = { ...LIMITS, bytes: Math.min(LIMITS.bytes, await freeBytes()) }
  if (info.isDirectory()) return openFolderArchive(path, limits)
  const head = await firstBytes(path)
  if (head.subarray(0, 2).toString('latin1') === 'PK') return openZipArchive(path, limits)
  if (isMongoArchive(head)) return openMongo(path, false, limits)
  if (head[0] === 0x1f && head[1] === 0x8b) {
    if (isMongoArchive(unpackedHead(head))) return openMongo(path, true, limits)
    return openTarArchive(path, true, limits)
  }
  if (head.subarray(257, 262).toString('latin1') === 'ustar') return openTarArchive(path, false, limits)
  throw new ArchiveError(`${path} is neither a ZIP, a tar, an archive of mongodump nor a folder`)
}
