import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { createObjectFiles } from './object-files.js'
import { sealingKey } from './seal.js'
import { sealFiles } from './sealed-files.js'
import { filesIn, testFolder } from './testing-folder.js'

const KIB = 1024
const REFUSED = { status: 400, code: 'decryption_failed' }

async function setUp(t: TestContext) {
  const folder = await testFolder(t)
  const stored = createObjectFiles(folder)
  const [first, second] = [sealingKey(randomBytes(32)), sealingKey(randomBytes(32))]
  const files = sealFiles(stored, [first])
  const put = async (name: string, content: Buffer, into: Pick<typeof stored, 'receive'> = files) => {
    async function* chunks() {
      for (let at = 0; at < content.length; at += 50_000) yield content.subarray(at, at + 50_000)
    }
    const part = await into.receive(name, chunks())
    assert.equal(part.size, content.length)
    await part.keep()
  }
  const read = async (
    name: string,
    range?: { start: number; end: number },
    from: Pick<typeof files, 'open'> = files,
  ) => {
    const file = await from.open(name)
    assert.ok(file)
    return buffer(file.stream(range))
  }
  const pathOf = async () => (await filesIn(folder)).find((path) => !path.endsWith('.json')) as string
  return { stored, files, first, second, put, read, pathOf }
}

test('what is sealed is read back, whole and in every range, and is nowhere on the disk', async (t) => {
  const { files, put, read, pathOf } = await setUp(t)
  for (const size of [0, 1, 64 * KIB - 1, 64 * KIB, 64 * KIB + 1, 200_000]) {
    const content = randomBytes(size)
    await put('a', content)
    assert.equal((await files.find('a'))?.size, size)
    if (size > 0) assert.deepEqual(await read('a'), content)
    const ends = [0, 1, 64 * KIB - 1, 64 * KIB, 131_072, size - 1].filter((end) => end >= 0 && end < size)
    for (const start of ends)
      for (const end of ends.filter((one) => one >= start))
        assert.deepEqual(await read('a', { start, end }), content.subarray(start, end + 1), `${start}-${end}`)
    if (size > 100) assert.ok(!(await readFile(await pathOf())).includes(content.subarray(0, 32)))
  }
})

test('what was changed, cut off, moved or sealed with a lost key is refused', async (t) => {
  const { stored, files, second, put, read, pathOf } = await setUp(t)
  const content = randomBytes(200_000)
  await put('a', content)
  const path = await pathOf()
  const sealed = await readFile(path)
  await assert.rejects(sealFiles(stored, [second]).open('a'), REFUSED)
  const broken = async (bytes: Buffer) => {
    await writeFile(path, bytes)
    await assert.rejects(read('a'), REFUSED)
  }
  for (const at of [20, 50, 90, 70_000, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    await broken(changed)
  }
  await broken(sealed.subarray(0, 84 + 64 * KIB + 16))
  await broken(sealed.subarray(0, sealed.length - 5))
  await writeFile(path, sealed)
  assert.deepEqual(await read('a'), content)
  await put('b', Buffer.from('b'), stored)
  const other = await stored.receive('b', (await stored.open('a'))?.stream() as AsyncIterable<Buffer>)
  await other.keep()
  await assert.rejects(files.open('b'), REFUSED)
})

test('everything comes under a new key, also what was not encrypted; then the old one can go', async (t) => {
  const { stored, files, first, second, put, read } = await setUp(t)
  const content = randomBytes(150_000)
  await put('old', content)
  await put('plain', content, stored)
  assert.deepEqual(await read('plain'), content)
  const both = sealFiles(stored, [second, first])
  await put('new', content, both)
  await put('foreign', content, sealFiles(stored, [sealingKey(randomBytes(32))]))
  const outcomes = async () => {
    const told: Record<string, string> = {}
    for await (const { key, outcome } of both.resealAll()) told[key] = outcome
    return told
  }
  const foreign = 'cannot be decrypted'
  assert.deepEqual(await outcomes(), { old: 'changed', plain: 'changed', new: 'as it was', foreign })
  assert.deepEqual(await outcomes(), { old: 'as it was', plain: 'as it was', new: 'as it was', foreign })
  const renewed = sealFiles(stored, [second])
  for (const name of ['old', 'plain', 'new']) assert.deepEqual(await read(name, undefined, renewed), content)
  await assert.rejects(files.open('old'), REFUSED)
})
