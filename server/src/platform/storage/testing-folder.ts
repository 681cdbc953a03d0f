import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** A folder that is gone after the test. */
export async function testFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'storage-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Every file below a folder. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
