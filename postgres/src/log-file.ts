import { copyFile, type FileHandle, open, stat, truncate } from 'node:fs/promises'

const LIMIT_BYTES = 8 * 1024 * 1024
const LOOK_MS = 60_000

/** A log that a child process appends to, kept to two files of a limited size. */
export interface LogFile {
  fd: number
  /** The last few lines. */
  tail(): Promise<string>
  close(): Promise<void>
}

/** Opens the log for appending; when it has grown it is copied to `.1` and begun again, while the child writes on. */
export async function openLogFile(path: string): Promise<LogFile> {
  const handle = await open(path, 'a+', 0o600)
  await keepBounded(path)
  const look = setInterval(() => keepBounded(path).catch(() => {}), LOOK_MS).unref()
  return {
    fd: handle.fd,
    tail: () => readTail(handle),
    async close() {
      clearInterval(look)
      await handle.close()
    },
  }
}

async function keepBounded(path: string): Promise<void> {
  if ((await stat(path)).size < LIMIT_BYTES) return
  await copyFile(path, `${path}.1`)
  await truncate(path)
}

async function readTail(handle: FileHandle): Promise<string> {
  const { size } = await handle.stat()
  const from = Math.max(0, size - 4096)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, undefined, from)
  return buffer.toString('utf8', 0, bytesRead).trim().split('\n').slice(-8).join('\n')
}
