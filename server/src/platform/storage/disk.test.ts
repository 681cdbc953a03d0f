import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { NoSuchObject } from './storage.js'
import { start, text } from './testing-disk.js'
import { filesIn } from './testing-folder.js'

test('objects are written, read in part, replaced and removed', async (t) => {
  const { storage, folder } = await start(t)
  const key = 'exports/1/archive.zip'

  assert.equal(await storage.stat(key), undefined)
  await assert.rejects(storage.read(key), NoSuchObject)
  assert.deepEqual(await storage.write(key, Buffer.from('0123456789'), 'application/zip'), { size: 10 })
  assert.equal(await text(await storage.read(key, { start: 2, end: 4 })), '234')
  assert.equal(await text(await storage.read(key, { start: 7 })), '789')

  assert.deepEqual(await storage.write(key, Readable.from([Buffer.from('new'), Buffer.from('er')])), {
    size: 5,
  })
  assert.equal(await text(await storage.read(key)), 'newer')

  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('half')
      throw new Error('source broke')
    })(),
  )
  await assert.rejects(storage.write(key, broken), /source broke/)
  assert.equal(await text(await storage.read(key)), 'newer')

  await storage.remove(key)
  await storage.remove(key)
  assert.equal(await storage.stat(key), undefined)
  assert.deepEqual(await filesIn(folder), [])
})

test('no key can leave the folder', async (t) => {
  const { storage, folder } = await start(t)
  for (const key of ['../../escape', '/etc/escape', 'a/../../../escape', '..', '\u0000', 'C:\\escape', '']) {
    await storage.write(key, Buffer.from(key))
    assert.equal(await text(await storage.read(key)), key)
  }
  const names = (await filesIn(folder)).map((path) => path.slice(folder.length))
  for (const name of names) assert.match(name, /^\/objects\/[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f]{64}(\.json)?$/)
  const hash = createHash('sha256').update('../../escape').digest('hex')
  assert(names.some((name) => name.endsWith(hash)))
})

test('what a crash left half-written goes after a day', async (t) => {
  const { storage, folder } = await start(t)
  await storage.write('a', Buffer.from('a'))
  const [old, young] = [join(folder, 'parts', 'old'), join(folder, 'parts', 'young')]
  for (const path of [old, young]) await writeFile(path, 'half')
  const longAgo = new Date(Date.now() - 2 * 86_400_000)
  await utimes(old, longAgo, longAgo)

  await storage.removeStaleParts()

  const left = await filesIn(folder)
  assert(left.includes(young))
  assert(!left.includes(old))
  assert.equal((await storage.stat('a'))?.size, 1)
})

test('other accounts of the host cannot read objects', async (t) => {
  const { storage, folder } = await start(t)
  await storage.write('exports/1/archive.zip', Buffer.from('secret'), 'application/zip')
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const { mode } = await stat(join(entry.parentPath, entry.name))
    assert.equal(mode & 0o777, entry.isDirectory() ? 0o700 : 0o600, entry.name)
  }
})
