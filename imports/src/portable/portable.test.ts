import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readEntries, writeZip } from '../testing-archive.js'
import { canonical } from './canonical.js'
import { openPortable } from './read.js'
import { beginPortable, manifestOf, message } from './testing-portable.js'
import { verifyPortable } from './verify.js'
import { PortableWriter } from './write.js'

async function place(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-portable-'))
  t.after(() => rm(folder, { recursive: true }))
  return join(folder, 'acme.parley')
}

async function written(t: TestContext, key: Parameters<PortableWriter['finish']>[0] = null) {
  const path = await place(t)
  await (await beginPortable(path)).finish(key)
  return path
}

test('a file that was written is whole, and equal content gives equal bytes', async (t) => {
  const path = await written(t)
  const verdict = await verifyPortable(path)
  assert.deepEqual(verdict.faults, [])
  assert.deepEqual([verdict.whole, verdict.entries, verdict.lines], [true, 6, 6])
  assert.equal(verdict.manifest?.workspace.name, 'Acme')
  assert.deepEqual(await readFile(path), await readFile(await written(t)))
  const entries = await readEntries(path)
  assert.deepEqual([...entries.keys()].slice(0, 4), [
    'parley.json',
    'tags.jsonl',
    'messages/000001.jsonl',
    'audit/000001.jsonl',
  ])
  assert.equal(
    entries.get('tags.jsonl')?.toString(),
    '{"created_at":"2026-01-02T03:04:05.678901Z","id":1,"name":"sales"}\n',
  )
})

test('a file has its name only when it is whole, and an abandoned one leaves nothing', async (t) => {
  const path = await place(t)
  const writer = await beginPortable(path)
  assert.equal(existsSync(path), false)
  await writer.abandon()
  assert.deepEqual(await readdir(join(path, '..')), [])
})

test('a changed byte is seen, wherever it stands', async (t) => {
  const path = await written(t)
  const bytes = await readFile(path)
  const other = `${path}.other`
  const stride = 97
  for (let at = 0; at < bytes.length; at += stride) {
    for (const flip of [0x01, 0x80]) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] as number) ^ flip
      await writeFile(other, changed)
      const { whole, faults } = await verifyPortable(other)
      assert.equal(whole, false, `byte ${at} of ${bytes.length}, bit ${flip}`)
      assert.ok(faults[0]?.entry)
    }
  }
})

const FILE = `files/0d/0d22cdcc10e6d049dbe1af5123d50873fdfc1a4f58306e58cb6241be9472014d`

type Entries = [name: string, content: Buffer][]

const TAMPERING: [what: string, change: (entries: Entries) => Entries, entry: string, fault: RegExp][] = [
  [
    'an entry left out',
    (entries) => entries.filter(([name]) => name !== 'tags.jsonl'),
    'tags.jsonl',
    /is missing/,
  ],
  [
    'an entry added',
    (entries) => [...entries.slice(0, -1), ['pins.jsonl', Buffer.from('')], ...entries.slice(-1)],
    'pins.jsonl',
    /was added/,
  ],
  [
    'entries in another order',
    ([manifest, tags, messages, ...rest]) => [manifest, messages, tags, ...rest] as Entries,
    'messages/000001.jsonl',
    /wrong place/,
  ],
  [
    'a word changed',
    (entries) =>
      entries.map(([name, content]) => [name, Buffer.from(content.toString().replace('hello', 'hullo'))]),
    'messages/000001.jsonl',
    /another hash/,
  ],
  [
    'a line removed',
    (entries) =>
      entries.map(([name, content]) => [
        name,
        name.startsWith('messages') ? content.subarray(0, content.indexOf(10) + 1) : content,
      ]),
    'messages/000001.jsonl',
    /another hash/,
  ],
  [
    'an entry and its sum left out',
    (entries) =>
      entries
        .filter(([name]) => name !== 'tags.jsonl')
        .map(([name, content]) => [
          name,
          name === 'sums.jsonl'
            ? Buffer.from(content.toString().replace(/.*"tags\.jsonl".*\n/, ''))
            : content,
        ]),
    'sums.jsonl',
    /the chain breaks at messages\/000001\.jsonl/,
  ],
  ['the sums left out', (entries) => entries.slice(0, -1), 'sums.jsonl', /is not the last entry/],
  ['nothing but the way it is packed', (entries) => entries, FILE, /packed differently/],
]

test('whatever is left out, added, moved or changed in a file that is packed anew is named', async (t) => {
  const path = await written(t)
  const entries = [...(await readEntries(path))]
  for (const [what, change, entry, fault] of TAMPERING) {
    const other = `${path}.other`
    await writeZip(other, Object.fromEntries(change(entries)))
    const { whole, faults } = await verifyPortable(other)
    assert.equal(whole, false, what)
    const named = faults.some((found) => found.entry === entry && fault.test(found.fault))
    assert.ok(named, `${what}: ${JSON.stringify(faults)}`)
    await assert.rejects(openPortable(other), { name: 'ArchiveError' }, what)
  }
})

test('a signature says who made the file, and another or none is refused where one is asked for', async (t) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const stranger = generateKeyPairSync('ed25519')
  const path = await written(t, privateKey)
  assert.equal((await verifyPortable(path, publicKey)).whole, true)
  const wrong = await verifyPortable(path, stranger.publicKey)
  assert.match(wrong.faults[0]?.fault ?? '', /somebody else has signed it/)
  const unsigned = await verifyPortable(await written(t), publicKey)
  assert.match(unsigned.faults[0]?.fault ?? '', /nobody has signed it/)
  const entries = Object.fromEntries(await readEntries(path))
  const lines = (entries['sums.jsonl'] as Buffer).toString().trimEnd().split('\n')
  const head = JSON.parse(lines.pop() ?? '')
  const forged = { ...head, signature: Buffer.alloc(64).toString('base64') }
  entries['sums.jsonl'] = Buffer.from(`${[...lines, canonical(forged)].join('\n')}\n`)
  await writeZip(`${path}.other`, entries)
  const { faults } = await verifyPortable(`${path}.other`)
  assert.ok(faults.some(({ fault }) => fault === 'the signature is wrong'))
})

const BAD_LINES: [what: string, content: string, fault: RegExp][] = [
  ['a text that is no JSON', '{"id":', /is no JSON/],
  ['keys in another order', '{"name":"x","id":1}', /one form/],
  ['a zero character', canonical({ ...message(1, 'a\0b') }), /no text may hold/],
  ['half a surrogate pair', '{"content":"\\ud800"}', /no text may hold/],
  ['an id that is no number', canonical({ ...message(1, 'x'), id: '1' }), /\/id/],
  ['a field that is missing', canonical({ id: 1 }), /./],
  [
    'a line without an end',
    canonical(message(1, randomBytes(30_000).toString('base64').repeat(425))),
    /longer than/,
  ],
  ['bytes that are no UTF-8', '"\u{fffd}"', /./],
]

test('lines that no server wrote are named with their number', async (t) => {
  for (const [what, content, fault] of BAD_LINES) {
    const path = await place(t)
    const writer = await PortableWriter.create(path, manifestOf())
    await writer.lines('messages/000001.jsonl', [])
    await writer.finish(null)
    const entries = Object.fromEntries(await readEntries(path))
    const name = 'messages/000001.jsonl'
    await writeZip(path, { ...entries, [name]: Buffer.from(`${content}\n`) }, ['sums.jsonl', name])
    const { faults } = await verifyPortable(path)
    const found = faults.find(({ entry, line }) => entry === 'messages/000001.jsonl' && line === 1)
    assert.match(found?.fault ?? '', fault, what)
  }
})

test('files of strangers are refused: bombs, paths that lead out, other formats, other versions', async (t) => {
  const path = await place(t)
  const refusal = async (entries: Record<string, unknown>) => {
    await writeZip(path, entries)
    const { faults } = await verifyPortable(path)
    await assert.rejects(openPortable(path), { name: 'ArchiveError' })
    return JSON.stringify(faults)
  }
  const manifest = canonical(manifestOf())
  const bomb = Buffer.alloc(8 * 1024 * 1024, 'x')
  assert.match(await refusal({ 'parley.json': manifest, 'people.jsonl': bomb }), /hundred times its size/)
  await writeFile(path, 'PK is not all')
  assert.match(JSON.stringify((await verifyPortable(path)).faults), /does not end as a ZIP/)
  assert.match(JSON.stringify((await verifyPortable(`${path}.none`)).faults), /is not there/)
  const newer = { ...manifestOf(), version: { major: 2, minor: 0 } }
  await (await beginPortable(path, newer)).finish(null)
  assert.match(JSON.stringify((await verifyPortable(path)).faults), /version 2, this program reads 1/)
  // Unpacked nowhere: a name that leads out is only a name.
  const writer = await PortableWriter.create(path, manifestOf())
  await writer.lines('../../etc/passwd', [])
  await writer.finish(null)
  await assert.rejects(openPortable(path), /leaves the archive/)
})

test('a line that says more than this version knows is read, and an entry that it does not know is told', async (t) => {
  const path = await place(t)
  const writer = await PortableWriter.create(path, manifestOf())
  await writer.lines('tags.jsonl', [
    { id: 1, name: 'a', created_at: '2026-01-02T03:04:05.678901Z', color: 1 },
  ])
  await writer.lines('polls.jsonl', [{ id: 1 }])
  await writer.finish(null)
  const source = await openPortable(path)
  t.after(() => source.close())
  const records = []
  for await (const record of source.records()) records.push(record)
  assert.deepEqual(
    records.map(({ kind }) => kind),
    ['tag', 'warning'],
  )
})
