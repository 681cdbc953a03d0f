import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPiece, centralHeader, endOfArchive, localHeader, type ZipEntry } from '@parley/imports'
import { unzip } from './testing-unzip.js'

const entryOf = (name: string): ZipEntry => ({ name, crc: 0, compressed: 0, size: 0 })

test('pieces that were compressed one by one are one file', async () => {
  const entry = entryOf('ü/file.json')
  const texts = ['[\n', 'x'.repeat(100_000), '', 'ы'.repeat(5000), '\n]\n']
  const pieces: Buffer[] = []
  for (const [index, text] of texts.entries())
    pieces.push(await addPiece(entry, text, index === texts.length - 1))
  const head = localHeader(entry)
  const directory = centralHeader(entry, 0)
  const body = Buffer.concat([head, ...pieces])
  const files = unzip(Buffer.concat([body, directory, endOfArchive(1, body.length, directory.length)]))
  assert.deepEqual([...files], [['ü/file.json', texts.join('')]])
})

test('an archive may have more files than the plain form can count', async () => {
  const count = 70_000
  const content = entryOf('')
  const piece = await addPiece(content, '[]\n', true)
  const local: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (let index = 0; index < count; index += 1) {
    const entry = { ...content, name: `${index}.json` }
    const head = localHeader(entry)
    directory.push(centralHeader(entry, offset))
    local.push(head, piece)
    offset += head.length + piece.length
  }
  const listed = Buffer.concat(directory)
  const files = unzip(Buffer.concat([...local, listed, endOfArchive(count, offset, listed.length)]))
  assert.equal(files.size, count)
})

test('sizes and places beyond four gigabytes are written with 64 bits', () => {
  const entry = { name: 'a', crc: 1, compressed: 5_000_000_000, size: 9_000_000_000 }
  const local = localHeader(entry)
  assert.deepEqual([local.readUInt32LE(18), local.readUInt32LE(22)], [0xffff_ffff, 0xffff_ffff])
  assert.deepEqual([local.readUInt16LE(31), local.readUInt16LE(33)], [1, 16])
  assert.deepEqual([local.readBigUInt64LE(35), local.readBigUInt64LE(43)], [9_000_000_000n, 5_000_000_000n])
  const central = centralHeader({ ...entry, compressed: 10, size: 20 }, 6_000_000_000)
  assert.deepEqual([central.readUInt32LE(20), central.readUInt32LE(24)], [10, 20])
  assert.equal(central.readUInt32LE(42), 0xffff_ffff)
  assert.deepEqual([central.readUInt16LE(47), central.readUInt16LE(49)], [1, 8])
  assert.equal(central.readBigUInt64LE(51), 6_000_000_000n)
})
