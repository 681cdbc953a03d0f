import { createHash, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../config.js'

export interface AuditKey {
  key: Buffer
  /** Made just now: there was none that an earlier chain could have been sealed under. */
  fresh: boolean
}

/** The key of the audit chain: the one given, or a file of the data folder that is made with the first start. */
export async function openAuditKey(config: Pick<Config, 'audit_key' | 'data_dir'>): Promise<AuditKey> {
  if (config.audit_key) return { key: derive(config.audit_key), fresh: false }
  const file = fileOf(config)
  const fresh = await makeFile(file)
  return { key: derive(await readFile(file, 'utf8')), fresh }
}

/** The key, read only for verification; undefined if the data folder has none. */
export async function findAuditKey(
  config: Pick<Config, 'audit_key' | 'data_dir'>,
): Promise<Buffer | undefined> {
  if (config.audit_key) return derive(config.audit_key)
  const text = await readFile(fileOf(config), 'utf8').catch((error) => isThere(error) || undefined)
  return typeof text === 'string' ? derive(text) : undefined
}

function fileOf({ data_dir }: Pick<Config, 'data_dir'>): string {
  return join(data_dir, 'audit.key')
}

function derive(text: string): Buffer {
  return createHash('sha256').update('parley audit chain').update(text.trim()).digest()
}

/** Whole or not at all, and once: two processes may start on one folder. */
async function makeFile(file: string): Promise<boolean> {
  if (await readFile(file).then(() => true, isThere)) return false
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(8).toString('hex')}`
  await writeFile(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true })
  try {
    await link(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  } finally {
    await rm(draft)
  }
}

function isThere(error: NodeJS.ErrnoException): boolean {
  if (error.code === 'ENOENT') return false
  throw error
}
