import { pipeline } from 'node:stream/promises'
import { type Client, DatabaseError, escapeIdentifier } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { type BackupManifest, type BackupSummary, type Progress, UPLOADS } from './backup-format.js'
import {
  connect,
  listForeignKeys,
  listMigrations,
  listSequences,
  listTables,
  listTriggers,
  quoted,
  type Table,
} from './inspect.js'
import { readBackup } from './read-backup.js'
import { type FilesRestore, hasFiles, restoreFiles } from './restore-files.js'
import { countRows, verifyBackup } from './verify-backup.js'

const LOCK_TIMEOUT = '10s'

export interface RestoreOptions {
  /** A database that has exactly the migrations of the backup. */
  url: string
  file: string
  /** Where the uploaded files of the backup go; without it they are left out. */
  filesFolder?: string
  /** Replaces rows and files that are there, such as rows that migrations bring. */
  force?: boolean
  onProgress?: (done: Progress) => void
}

export interface RestoreSummary extends BackupSummary {
  /** Whether checks and triggers could be switched off, for which the database asks special rights. */
  replica_role: boolean
  /** Tables of the backup that migrations do not make, such as somebody's own: their rows were not restored. */
  left_out: string[]
}

/** Replaces all rows of a database, and the uploaded files, by those of a backup; on any fault both stay as they were. */
export async function restoreDatabase(options: RestoreOptions): Promise<RestoreSummary> {
  const backup = await verifyBackup(options.file)
  const client = await connect(options.url, 'parley restore')
  let files: FilesRestore | undefined
  try {
    await client.query('begin')
    const tables = await checkTarget(client, backup, options)
    files = backup.files && options.filesFolder ? await restoreFiles(options.filesFolder) : undefined
    const replica_role = await loadAll(client, backup, tables, files, options)
    await files?.swap()
    await client.query('commit')
    await files?.settle()
    const left_out = backup.tables.map(({ name }) => name).filter((name) => !isIn(tables, name))
    return { ...backup, replica_role, left_out }
  } catch (error) {
    await client.query('rollback').catch(() => {})
    await files?.undo()
    throw error
  } finally {
    await client.end()
  }
}

async function checkTarget(client: Client, backup: BackupSummary, { force, filesFolder }: RestoreOptions) {
  const migrations = await listMigrations(client)
  const missing = backup.migrations.filter((name) => !migrations.includes(name))
  const surplus = migrations.filter((name) => !backup.migrations.includes(name))
  if (surplus.length > 0) {
    throw new Error(
      `The database is newer than the backup: it has ${list(surplus)}. ` +
        'Restore into a database migrated by the version of the server that made the backup, then upgrade.',
    )
  }
  if (missing.length > 0) {
    throw new Error(
      `The database lacks ${list(missing)}: migrate it up to ${backup.migrations.at(-1)}, then restore.`,
    )
  }
  const tables = await listTables(client)
  if (force) return tables
  for (const { name } of tables) {
    const { rowCount } = await client.query(`select from ${quoted(name)} limit 1`)
    if (rowCount)
      throw new Error(`The database has rows in ${name}: restore into an empty one, or with force.`)
  }
  if (backup.files && filesFolder && (await hasFiles(filesFolder))) {
    throw new Error(`There are files in ${filesFolder}: restore into an empty folder, or with force.`)
  }
  return tables
}

async function loadAll(
  client: Client,
  backup: BackupSummary,
  tables: Table[],
  files: FilesRestore | undefined,
  { file, onProgress }: RestoreOptions,
): Promise<boolean> {
  const replicaRole = await becomeReplica(client)
  let settle = async () => {}
  const report = reporter(backup, files !== undefined, onProgress)
  const read = await readBackup(file, {
    async begin(manifest) {
      checkShape(manifest, tables)
      await emptyTables(client, tables)
      if (!replicaRole) settle = await holdChecks(client, manifest)
    },
    async table(name, columns, rows) {
      if (!isIn(tables, name)) return countRows(report.counting(name)(rows))
      const list = columns.length > 0 ? `(${columns.map(escapeIdentifier).join(', ')})` : ''
      const copy = client.query(copyFrom(`copy ${quoted(name)} ${list} from stdin`))
      await pipeline(rows, report.counting(name), copy)
      report.done(name, copy.rowCount)
      return copy.rowCount
    },
    async file(path, entry) {
      if (files) await files.take(path, entry)
      else for await (const _ of entry.body);
      report.done(UPLOADS, 1, entry.size)
    },
  })
  const sequences = await listSequences(client)
  for (const { name, last_value, is_called } of read.sequences.filter(({ name }) => isIn(sequences, name))) {
    // `restart` gives the sequence new storage in this transaction, so that `setval` is undone with it.
    await client.query(`alter sequence ${quoted(name)} restart`)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [quoted(name), last_value, is_called])
  }
  await settle()
  if (tables.length > 0) await client.query(`analyze ${tables.map(({ name }) => quoted(name)).join(', ')}`)
  return replicaRole
}

/** Switches off foreign keys and triggers for this transaction, where the database lets us. */
async function becomeReplica(client: Client): Promise<boolean> {
  await client.query('savepoint replica')
  try {
    await client.query('set local session_replication_role = replica')
    return true
  } catch (error) {
    const INSUFFICIENT_PRIVILEGE = '42501'
    if (!(error instanceof DatabaseError) || error.code !== INSUFFICIENT_PRIVILEGE) throw error
    await client.query('rollback to savepoint replica')
    return false
  }
}

async function emptyTables(client: Client, tables: Table[]): Promise<void> {
  if (tables.length === 0) return
  await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
  try {
    await client.query(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`)
  } catch (error) {
    const LOCK_NOT_AVAILABLE = '55P03'
    if (!(error instanceof DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error
    throw new Error('The database is in use: stop the servers that work on it, then restore.', {
      cause: error,
    })
  }
}

/**
 * What an owner without special rights can do instead: silence our triggers, and put off the foreign keys that point at
 * tables whose rows come later in the file. Returns what undoes it, which also makes the checks that were put off.
 */
async function holdChecks(client: Client, manifest: BackupManifest): Promise<() => Promise<void>> {
  const position = new Map(manifest.tables.map(({ name }, index) => [name, index]))
  const ahead = (await listForeignKeys(client)).filter(
    ({ from, to }) => position.get(to)! > position.get(from)!,
  )
  const undo: string[] = ['set constraints all immediate']
  for (const { table, name } of await listTriggers(client)) {
    await client.query(`alter table ${quoted(table)} disable trigger ${escapeIdentifier(name)}`)
    undo.push(`alter table ${quoted(table)} enable trigger ${escapeIdentifier(name)}`)
  }
  for (const { from, name } of ahead.filter(({ deferrable }) => !deferrable)) {
    const constraint = `alter table ${quoted(from)} alter constraint ${escapeIdentifier(name)}`
    await client.query(`${constraint} deferrable initially deferred`)
    undo.push(`${constraint} not deferrable`)
  }
  await client.query('set constraints all deferred')
  return async () => {
    for (const statement of undo) await client.query(statement)
  }
}

const isIn = (known: readonly { name: string }[], wanted: string) => known.some(({ name }) => name === wanted)

/** A table that only the backup has is somebody's own, and no reason to lose the others. One that only the database has may not be. */
function checkShape(manifest: BackupManifest, tables: Table[]): void {
  const shape = ({ name, columns }: { name: string; columns: string[] }) =>
    `${name} (${columns.toSorted().join(', ')})`
  const shared = manifest.tables.filter(({ name }) => isIn(tables, name))
  const [theirs, ours] = [shared.map(shape), tables.map(shape)]
  const odd = [...theirs.filter((one) => !ours.includes(one)), ...ours.filter((one) => !theirs.includes(one))]
  if (odd.length > 0) {
    throw new Error(
      `The tables of the backup and of the database differ in spite of equal migrations: ${list(odd)}.`,
    )
  }
}

function reporter(backup: BackupSummary, withFiles: boolean, onProgress: RestoreOptions['onProgress']) {
  const fileBytes = withFiles ? (backup.files?.bytes ?? 0) : 0
  const total = backup.tables.reduce((sum, { bytes }) => sum + bytes, fileBytes)
  const current = { table: '', rows: 0, bytes: 0 }
  let all = 0
  const add = (table: string, rows: number, bytes: number) => {
    if (table !== current.table) Object.assign(current, { table, rows: 0, bytes: 0 })
    current.rows += rows
    current.bytes += bytes
    all += bytes
    onProgress?.({ ...current, share: total === 0 ? 1 : Math.min(all / total, 1) })
  }
  return {
    counting: (table: string) =>
      async function* (source: AsyncIterable<Buffer>) {
        for await (const chunk of source) {
          add(table, 0, chunk.length)
          yield chunk
        }
      },
    done: (table: string, rows: number, bytes = 0) => add(table, rows, bytes),
  }
}

function list(names: string[]): string {
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ')
}
