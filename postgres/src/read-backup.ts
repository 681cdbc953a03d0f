import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import {
  type BackupManifest,
  type BackupSummary,
  type BackupTotals,
  FILES,
  MANIFEST,
  parseManifest,
  piecePosition,
  TOTALS,
} from './backup-format.js'
import { type ArchiveEntry, readArchive, readText } from './read-archive.js'

/** Takes the content of a backup, in the order of the file. */
export interface BackupReceiver {
  begin(manifest: BackupManifest): Promise<void>
  /** Returns how many rows it took. */
  table(name: string, columns: string[], rows: AsyncIterable<Buffer>): Promise<number>
  file(path: string, entry: ArchiveEntry): Promise<void>
}

/** Reads a backup through, hands what it holds to the receiver, and ends without a fault only if all of it is sound. */
export async function readBackup(file: string, receiver: BackupReceiver): Promise<BackupSummary> {
  const entries = peekable(readArchive(file))
  try {
    const first = await entries.take()
    if (first?.name !== MANIFEST) throw new Error('it is not a backup of this server')
    const manifest = parseManifest(await readText(first.body))
    await receiver.begin(manifest)
    const tables = await readTables(entries, manifest, receiver)
    const files = manifest.includes_files ? await readFiles(entries, receiver) : null
    const last = await entries.take()
    if (last?.name !== TOTALS)
      throw new Error(`it holds ${last?.name ?? 'no totals'} where its totals should be`)
    const totals: BackupTotals = JSON.parse(await readText(last.body))
    if (await entries.take()) throw new Error('something follows its totals')
    compare(totals, { tables, files })
    const { created_at, server_version, migrations } = manifest
    return { file, bytes: (await stat(file)).size, created_at, server_version, migrations, ...totals }
  } finally {
    await entries.close()
  }
}

async function readTables(entries: Entries, { tables }: BackupManifest, receiver: BackupReceiver) {
  const read: { name: string; rows: number; bytes: number; sha256: string }[] = []
  for (const [position, { name, columns }] of tables.entries()) {
    const hash = createHash('sha256')
    let bytes = 0
    const rows = await receiver.table(name, columns, content())
    read.push({ name, rows, bytes, sha256: hash.digest('hex') })

    async function* content(): AsyncGenerator<Buffer> {
      for (
        let next = await entries.peek();
        next && piecePosition(next.name) === position;
        next = await entries.peek()
      ) {
        await entries.take()
        for await (const chunk of next.body) {
          hash.update(chunk)
          bytes += chunk.length
          yield chunk
        }
      }
    }
  }
  return read
}

async function readFiles(entries: Entries, receiver: BackupReceiver) {
  const read = { count: 0, bytes: 0 }
  for (let next = await entries.peek(); next?.name.startsWith(FILES); next = await entries.peek()) {
    await entries.take()
    await receiver.file(next.name.slice(FILES.length), next)
    read.count += 1
    read.bytes += next.size
  }
  return read
}

function compare(told: BackupTotals, read: Pick<BackupTotals, 'tables' | 'files'>): void {
  for (const [position, table] of read.tables.entries()) {
    const expected = told.tables[position]
    if (expected?.rows !== table.rows || expected.bytes !== table.bytes || expected.sha256 !== table.sha256) {
      throw new Error(`table ${table.name} came to ${table.rows} rows and should be ${expected?.rows}`)
    }
  }
  if (told.files?.count !== read.files?.count || told.files?.bytes !== read.files?.bytes) {
    throw new Error(`${read.files?.count} files were read and ${told.files?.count} written`)
  }
}

interface Entries {
  peek(): Promise<ArchiveEntry | undefined>
  take(): Promise<ArchiveEntry | undefined>
  close(): Promise<unknown>
}

function peekable(source: AsyncGenerator<ArchiveEntry>): Entries {
  let ahead: Promise<ArchiveEntry | undefined> | undefined
  const peek = () => {
    ahead ??= source.next().then(({ value }) => value ?? undefined)
    return ahead
  }
  return {
    peek,
    take: async () => {
      const entry = await peek()
      ahead = undefined
      return entry
    },
    close: () => source.return(undefined),
  }
}
