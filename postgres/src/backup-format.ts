/** The first entry of a backup: what the reader has to know before the rows come. */
export interface BackupManifest {
  format: 'parley-backup'
  version: 1
  created_at: string
  server_version: string
  /** The migrations that had been applied, by name. */
  migrations: string[]
  /** In the order of their rows in the file: a table follows those that it refers to. */
  tables: { name: string; columns: string[] }[]
  includes_files: boolean
}

/** The last entry but one: what the rows and files came to. */
export interface BackupTotals {
  tables: { name: string; rows: number; bytes: number; sha256: string }[]
  sequences: { name: string; last_value: string; is_called: boolean }[]
  files: { count: number; bytes: number } | null
}

export interface BackupSummary extends BackupTotals {
  file: string
  /** The size of the backup file itself. */
  bytes: number
  created_at: string
  server_version: string
  migrations: string[]
}

export interface Progress {
  /** The table at hand, or `uploaded files`. */
  table: string
  rows: number
  bytes: number
  /** How much of the whole is done, from 0 to 1. */
  share: number
}

export const MANIFEST = 'manifest.json'
export const TOTALS = 'totals.json'
export const CHECKSUM = 'checksum.txt'
export const FILES = 'files/'
/** What progress calls the files; no table is named so. */
export const UPLOADS = 'uploaded files'

/** Names a piece of a table. Pieces put together are what COPY takes, should a person ever need it by hand. */
export function pieceName(position: number, table: string, piece: number): string {
  return `tables/${position}-${table}/${String(piece).padStart(8, '0')}.copy`
}

/** The position of the table that an entry is a piece of; undefined for other entries. */
export function piecePosition(name: string): number | undefined {
  const found = /^tables\/(\d+)-/.exec(name)
  return found ? Number(found[1]) : undefined
}

/** Reads the manifest, and refuses what is no backup of ours or of a later kind. */
export function parseManifest(text: string): BackupManifest {
  const manifest: BackupManifest = JSON.parse(text)
  if (manifest.format !== 'parley-backup') throw new Error('it is not a backup of this server')
  if (manifest.version !== 1) throw new Error(`it has format ${manifest.version}, and this server reads 1`)
  return manifest
}
