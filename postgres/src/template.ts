import { execFile } from 'node:child_process'
import { copyFile, cp, mkdir, readFile, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { passwordFile } from './access.js'

const WINDOWS = process.platform === 'win32'

/** By the system's own program where there is one: Node takes half a second of CPU for a cluster. */
async function copyFolder(from: string, to: string): Promise<void> {
  if (WINDOWS) await cp(from, to, { recursive: true })
  else await promisify(execFile)('cp', ['-R', from, to])
}

/** Copies the cluster of a template. It gets another password where connections go through a socket. */
export async function copyTemplate(template: string, folder: string, cluster: string): Promise<void> {
  await copyFolder(await realpath(join(template, 'cluster')), cluster)
  if (WINDOWS) await copyFile(passwordFile(template), passwordFile(folder))
}

/** Whether there is a template that this major version of PostgreSQL can use. */
export async function isUsable(template: string, major: string): Promise<boolean> {
  const version = await readFile(join(template, 'cluster', 'PG_VERSION'), 'utf8').catch(() => null)
  return version?.trim() === major
}

/** Keeps a copy of a stopped database, as a template of others. */
export async function saveTemplate(folder: string, template: string): Promise<void> {
  // Made under another name: a copy that is cut short is no template, and of two at once the first one stays.
  const unfinished = `${template}.${process.pid}`
  await mkdir(dirname(template), { recursive: true, mode: 0o700 })
  await mkdir(unfinished, { mode: 0o700 })
  try {
    await copyTemplate(folder, unfinished, join(unfinished, 'cluster'))
    await rename(unfinished, template).catch(() => {})
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}
