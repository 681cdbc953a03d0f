import { createHash } from 'node:crypto'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, escapeIdentifier } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import {
  type BackupManifest,
  type BackupSummary,
  type BackupTotals,
  FILES,
  MANIFEST,
  type Progress,
  pieceName,
  TOTALS,
  UPLOADS,
} from './backup-format.js'
import {
  connect,
  listForeignKeys,
  listMigrations,
  listSequences,
  listTables,
  orderByReference,
  quoted,
  type Table,
} from './inspect.js'
import { isRestoring } from './restore-files.js'
import { countLines } from './verify-backup.js'
import { type ArchiveWriter, createArchive } from './write-archive.js'

const PIECE_BYTES = 1024 * 1024

export interface BackupOptions {
  url: string
  file: string
  /** The folder of uploaded files, to be put into the same backup. */
  filesFolder?: string
  onProgress?: (done: Progress) => void
}

type Report = (done: Omit<Progress, 'share'>) => void

/** Writes one file with all rows as they are at one moment, while the server goes on; with the uploaded files, if asked. */
export async function backupDatabase(options: BackupOptions): Promise<BackupSummary> {
  const client = await connect(options.url, 'parley backup')
  try {
    const archive = await createArchive(options.file)
    try {
      const written = await writeBackup(client, archive, options)
      const bytes = await archive.finish()
      return { file: options.file, bytes, ...written }
    } catch (error) {
      await archive.abandon()
      throw error
    }
  } finally {
    await client.end()
  }
}

async function writeBackup(client: Client, archive: ArchiveWriter, options: BackupOptions) {
  await client.query('begin transaction isolation level repeatable read read only')
  const tables = orderByReference(await listTables(client), await listForeignKeys(client))
  // Keeps a migration from changing a table between now and its turn.
  if (tables.length > 0) {
    await client.query(`lock table ${tables.map(({ name }) => quoted(name)).join(', ')} in access share mode`)
  }
  const files = options.filesFolder === undefined ? null : await measureFiles(options.filesFolder)
  const manifest = await describeBackup(client, tables, files !== null)
  await archive.add(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`)

  const report = reporter(options, tables, files?.bytes ?? 0)
  const totals: BackupTotals = { tables: [], sequences: [], files: null }
  for (const [position, table] of tables.entries()) {
    totals.tables.push(await writeTable(client, archive, table, position, report))
  }
  // Read after the rows, so that no id in them can be given out again.
  totals.sequences = await listSequences(client)
  await client.query('commit')
  // After the rows as well: a file that a row speaks of has been there since before the row.
  if (options.filesFolder !== undefined) totals.files = await writeFiles(archive, options.filesFolder, report)
  await archive.add(TOTALS, `${JSON.stringify(totals, null, 2)}\n`)
  const { created_at, server_version, migrations } = manifest
  return { created_at, server_version, migrations, ...totals }
}

async function describeBackup(
  client: Client,
  tables: Table[],
  includes_files: boolean,
): Promise<BackupManifest> {
  const { rows } = await client.query(`select current_setting('server_version') as version`)
  return {
    format: 'parley-backup',
    version: 1,
    created_at: new Date().toISOString(),
    server_version: rows[0].version,
    migrations: await listMigrations(client),
    tables: tables.map(({ name, columns }) => ({ name, columns })),
    includes_files,
  }
}

async function writeTable(
  client: Client,
  archive: ArchiveWriter,
  table: Table,
  position: number,
  report: Report,
) {
  const { name, columns, partitioned, unreadable } = table
  const list = columns.map(escapeIdentifier).join(', ')
  const copy = unreadable
    ? []
    : client.query(
        copyTo(`copy (select ${list} from ${partitioned ? '' : 'only '}${quoted(name)}) to stdout`),
      )
  const hash = createHash('sha256')
  let [rows, bytes, piece] = [0, 0, 0]
  for await (const chunk of inPieces(copy)) {
    hash.update(chunk)
    rows += countLines(chunk)
    bytes += chunk.length
    await archive.add(pieceName(position, name, piece++), chunk)
    report({ table: name, rows, bytes })
  }
  report({ table: name, rows, bytes })
  return { name, rows, bytes, sha256: hash.digest('hex') }
}

async function* inPieces(source: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    held.push(chunk)
    size += chunk.length
    if (size < PIECE_BYTES) continue
    yield Buffer.concat(held)
    held = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(held)
}

async function writeFiles(archive: ArchiveWriter, folder: string, report: Report) {
  const done = { count: 0, bytes: 0 }
  for await (const { path, handle } of openFiles(folder)) {
    const { size, mtime } = await handle.stat()
    if (size === 0) await archive.add(FILES + path, '')
    else
      await archive.addStream(FILES + path, size, mtime, handle.createReadStream({ start: 0, end: size - 1 }))
    done.count += 1
    done.bytes += size
    report({ table: UPLOADS, rows: done.count, bytes: done.bytes })
  }
  return done
}

async function measureFiles(folder: string) {
  const all = { count: 0, bytes: 0 }
  for await (const { handle } of openFiles(folder)) {
    all.count += 1
    all.bytes += (await handle.stat()).size
  }
  return all
}

/** Every file below the folder, one open at a time; one that is deleted meanwhile is passed over. */
async function* openFiles(folder: string, below = ''): AsyncGenerator<{ path: string; handle: FileHandle }> {
  const found = await readdir(join(folder, below), { withFileTypes: true })
  for (const entry of found.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below + entry.name
    if (entry.isDirectory() && !isRestoring(path)) yield* openFiles(folder, `${path}/`)
    if (!entry.isFile()) continue
    const handle = await open(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    if (!handle) continue
    try {
      yield { path, handle }
    } finally {
      await handle.close()
    }
  }
}

/** Weighs tables by their size on disk, which is known at once, as the size of their rows in the file is not. */
function reporter({ onProgress }: BackupOptions, tables: Table[], fileBytes: number): Report {
  const weights = new Map([...tables.map(({ name, bytes }) => [name, bytes] as const), [UPLOADS, fileBytes]])
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  let [before, current] = [0, '']
  return ({ table, rows, bytes }) => {
    if (table !== current) before += weights.get(current) ?? 0
    current = table
    const within = Math.min(bytes, weights.get(table) ?? 0)
    onProgress?.({ table, rows, bytes, share: total === 0 ? 1 : (before + within) / total })
  }
}
