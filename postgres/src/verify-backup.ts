import type { BackupSummary } from './backup-format.js'
import { readBackup } from './read-backup.js'

const LINE_FEED = 10
/** Faults of unpacking, in words of somebody who has the wrong file. */
const REASONS: Record<string, string> = {
  Z_DATA_ERROR: 'it is not a file that parley backup wrote, or it was damaged',
  Z_BUF_ERROR: 'it was cut short',
  EISDIR: 'it is a folder',
}

/** Reads a backup through and says what it holds, or what is wrong with it. */
export async function verifyBackup(file: string): Promise<BackupSummary> {
  try {
    return await readBackup(file, {
      begin: async () => {},
      table: (_name, _columns, rows) => countRows(rows),
      file: async (_path, { body }) => {
        for await (const _ of body);
      },
    })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new Error(`There is no backup ${file}.`)
    throw new Error(`The backup ${file} cannot be used: ${REASONS[code ?? ''] ?? message}.`, { cause: error })
  }
}

/** In the text form of COPY a line feed ends a row and occurs nowhere else. */
export function countLines(chunk: Buffer): number {
  let lines = 0
  for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) lines += 1
  return lines
}

export async function countRows(rows: AsyncIterable<Buffer>): Promise<number> {
  let count = 0
  for await (const chunk of rows) count += countLines(chunk)
  return count
}
