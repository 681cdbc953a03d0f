import assert from 'node:assert/strict'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type TestContext, test } from 'node:test'
import yazl from 'yazl'
import { openArchive } from './open.js'

async function zipOf(t: TestContext, entries: readonly (readonly [string, string, number?])[]) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-zip-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'archive.zip')
  const zip = new yazl.ZipFile()
  for (const [name, content, mode = 0o100644] of entries) zip.addBuffer(Buffer.from(content), name, { mode })
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
  return path
}

/** The flag that says that a name is UTF-8, in both headers of each entry. */
async function clearUtf8Flags(path: string) {
  const bytes = await readFile(path)
  for (const [signature, offset] of [
    ['PK\x03\x04', 7],
    ['PK\x01\x02', 9],
  ] as const)
    for (
      let at = bytes.indexOf(signature, 0, 'latin1');
      at >= 0;
      at = bytes.indexOf(signature, at + 4, 'latin1')
    )
      bytes[at + offset] = (bytes[at + offset] as number) & ~0x08
  await writeFile(path, bytes)
}

test('an archive that was packed again is read as before: in a folder, with names of no encoding, among junk', async (t) => {
  const path = await zipOf(t, [
    ['export/users.json', '[]'],
    ['export/général/2020-09-13.json', '[1]'],
    ['export/.DS_Store', 'x'],
    ['__MACOSX/export/._users.json', 'x'],
  ])
  await clearUtf8Flags(path)
  const archive = await openArchive(path)
  assert.deepEqual([...archive.entries.keys()], ['users.json', 'général/2020-09-13.json'])
  assert.equal(await text(await archive.open('général/2020-09-13.json')), '[1]')
  assert.deepEqual(archive.refused, [])
  await archive.close()
})

/** Puts other bytes in the place of these, in both headers of each entry. */
async function rewrite(path: string, changes: readonly (readonly [string, Buffer])[], madeBy: number) {
  const bytes = await readFile(path)
  for (const [from, to] of changes)
    for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + 1)) to.copy(bytes, at)
  for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 4))
    bytes[at + 5] = madeBy
  await writeFile(path, bytes)
}

test('names in the code page of old ZIP programs, and folders with backslashes, are read', async (t) => {
  const path = await zipOf(t, [
    ['g_n_ral/2020-09-13.json', '[1]'],
    ['users.json', '[]'],
  ])
  await rewrite(path, [['g_n_ral', Buffer.from('g\x82n\x82ral', 'latin1')]], 0)
  const old = await openArchive(path)
  assert.deepEqual([...old.entries.keys()], ['général/2020-09-13.json', 'users.json'])
  await old.close()
  const other = await zipOf(t, [
    ['talk_2020-09-13.json', '[1]'],
    ['users.json', '[]'],
  ])
  const changes = [['talk_2020', Buffer.from('talk\\2020')]] as const
  await rewrite(other, changes, 0)
  const windows = await openArchive(other)
  assert.deepEqual([...windows.entries.keys()], ['talk/2020-09-13.json', 'users.json'])
  await windows.close()
  await rewrite(other, changes, 3)
  const unix = await openArchive(other)
  assert.deepEqual(unix.refused, ['talk\\2020-09-13.json has a backslash in its name'])
  await unix.close()
})

test('links, entries that are there twice and bombs are refused, each with its reason', async (t) => {
  const path = await zipOf(t, [
    ['users.json', '[]'],
    ['users.json', '[{}]'],
    ['days.json', `[${' '.repeat(5_000_000)}]`],
    ['link', '/etc/passwd', 0o120777],
  ])
  const archive = await openArchive(path)
  assert.deepEqual([...archive.entries.keys()], ['users.json'])
  assert.deepEqual(archive.refused, [
    'users.json is there twice',
    'days.json unpacks to over a hundred times its size',
    'link is a link or a device',
  ])
  await archive.close()
})
