import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

const { beginPortable, writeZip } = (await import(
  new URL('../../../imports/dist/testing.js', import.meta.url).href
)) as {
  writeZip(path: string, entries: Record<string, unknown>): Promise<void>
  beginPortable(path: string): Promise<{ finish(key: KeyObject): Promise<unknown> }>
}

async function folderOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-export-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

/** A portable file with one tag, the public key that belongs to its signature, and one that does not. */
export async function signedFile(t: TestContext) {
  const path = join(await folderOf(t), 'acme.parley')
  const [own, strange] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')]
  await (await beginPortable(path)).finish(own.privateKey)
  const pem = ({ publicKey }: typeof own) => publicKey.export({ type: 'spki', format: 'pem' }).toString()
  return { path, key: pem(own), strange_key: pem(strange) }
}

/** An export of Slack with one person, one channel and two messages. */
export async function smallExport(t: TestContext): Promise<string> {
  const path = join(await folderOf(t), 'export.zip')
  const said = (ts: string, text: string) => ({ type: 'message', user: 'U1', ts, text })
  await writeZip(path, {
    'users.json': [{ id: 'U1', name: 'zoe', profile: { real_name: 'Zoe', email: 'zoe@example.org' } }],
    'channels.json': [{ id: 'C1', name: 'garden', created: 1_600_000_000, creator: 'U1', members: ['U1'] }],
    'garden/2020-09-14.json': [said('1600000001.000100', 'Hello'), said('1600000002.000100', 'World')],
  })
  return path
}
