import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { verifyPortable } from '@parley/imports'
import { readEntries } from '@parley/imports/testing'
import { type World, world } from '../testing/world.js'
import { type ExportCall, exportWorkspace } from './export.js'
import { fillWorld, SECRETS } from './testing-full-world.js'

const ALL = {
  without_files: false,
  without_audit: false,
  without_personal_chats: false,
  with_addresses: false,
  since: null,
}

async function exported(t: TestContext, { ctx }: World, options: Partial<ExportCall['options']> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-export-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'acme.parley')
  const written = await exportWorkspace(ctx, path, { options: { ...ALL, ...options }, key: null })
  const entries = await readEntries(path)
  const lines = (name: string) =>
    (entries.get(name)?.toString() ?? '')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  return { folder, path, written, entries, lines }
}

test('a workspace is one whole file with everything but secrets', async (t) => {
  const w = await world(t)
  await fillWorld(w)
  const { path, written, entries, lines } = await exported(t, w)
  const verdict = await verifyPortable(path)
  assert.deepEqual(verdict.faults, [])
  assert.deepEqual(
    Object.entries(written.lines).filter(([kind, count]) => count === 0 && kind !== 'import_key'),
    [],
    'every kind of line is in it',
  )
  const raw = Buffer.concat([await readFile(path), ...entries.values()])
  const secret = await w.ctx.db.selectFrom('workspace').select('secret').executeTakeFirstOrThrow()
  const { rows: tokens } = await w.ctx.pool.query('select hash from tokens')
  for (const planted of [...SECRETS, secret.secret, ...tokens.map(({ hash }) => hash)]) {
    const forms = [planted, planted.toString('hex'), planted.toString('base64')]
    for (const form of forms) assert.equal(raw.includes(form), false, String(form))
  }
  const told = lines('people.jsonl').find(({ id }) => id === w.alice.id)?.notifications
  assert.deepEqual([told.quiet_hours, told.mail_language], [{ from: '22:00', to: '07:30' }, 'ru'])
  const muted = lines('members.jsonl').filter(({ notifications }) => notifications)
  assert.deepEqual(
    muted.map(({ person_id, notifications }) => [person_id, notifications]),
    [[w.alice.id, { level: 'nothing', muted_until: '2031-01-02T03:04:05.000000Z' }]],
  )
  const files = lines('files.jsonl')
  assert.equal(files.find(({ name }) => name === 'said.ogg')?.transcript, 'the plan is ready')
  assert.deepEqual(files.map(({ name, state }) => [name, state]).sort(), [
    ['agenda.txt', 'stored'],
    ['lost.txt', 'missing'],
    ['plan ü.txt', 'stored'],
    ['said.ogg', 'stored'],
  ])
  assert.equal(
    [...entries.keys()].filter((name) => name.startsWith('files/')).length,
    4,
    'a content is there once',
  )
})

test('files, the audit log, personal chats, addresses and old messages are left out or in, as asked', async (t) => {
  const w = await world(t)
  w.clock.freeze(true)
  await fillWorld(w)
  const since = new Date(w.clock.now() - 30_000).toISOString()
  const { entries, lines } = await exported(t, w, {
    without_files: true,
    without_audit: true,
    without_personal_chats: true,
    with_addresses: true,
    since,
  })
  const names = [...entries.keys()]
  assert.deepEqual(
    names.filter((name) => /^(files|audit)\//.test(name)),
    [],
  )
  assert.ok(lines('files.jsonl').every(({ state }) => state === 'left_out'))
  assert.ok(lines('chats.jsonl').every(({ type }) => type !== 'personal'))
  assert.ok(lines('drafts.jsonl').every(({ to_person_id }) => to_person_id === null))
  const contents = lines('messages/000001.jsonl').map(({ content }) => content)
  assert.deepEqual(contents.includes('news for all'), true)
  assert.deepEqual(contents.includes('with files'), false)
  assert.match(lines('bots.jsonl')[0].outgoing_url, /planted-webhook-path/)
  for (const { url } of lines('endpoints.jsonl')) assert.match(url, /planted-endpoint-path/)
})

test('a file shows one moment, and one that cannot be finished leaves nothing behind', async (t) => {
  const w = await world(t)
  await fillWorld(w)
  let late = 0
  const folder = await mkdtemp(join(tmpdir(), 'parley-export-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'acme.parley')
  const { read } = w.ctx.storage
  // The first object is read after the snapshot was taken, and before the messages are.
  w.ctx.storage.read = async (key, range) => {
    late += 1
    if (late === 1)
      await w.ctx.pool.query(
        `insert into messages (chat_id, root_chat_id, user_id, content, created_at, changed_at)
        values ($1, $1, 1, 'too late', now(), now())`,
        [w.office.id],
      )
    return read.call(w.ctx.storage, key, range)
  }
  t.after(() => {
    w.ctx.storage.read = read
  })
  await exportWorkspace(w.ctx, path, { options: ALL, key: null })
  assert.ok(late > 0)
  const entries = await readEntries(path)
  assert.equal(entries.get('messages/000001.jsonl')?.includes('too late'), false)
  await rm(path)
  w.ctx.storage.read = async () => {
    throw new Error('the disk is gone')
  }
  await assert.rejects(exportWorkspace(w.ctx, path, { options: ALL, key: null }), /the disk is gone/)
  assert.equal(existsSync(path), false)
  assert.deepEqual(await readdir(folder), [])
})

test('an export after one that was killed is whole, and only the moment that it shows differs', async (t) => {
  const w = await world(t)
  await fillWorld(w)
  const { folder, path, entries: whole } = await exported(t, w)
  // What kill -9 leaves: the file under its other name, longer than the next one will be, and the two spools beside it.
  const half = await readFile(path)
  await rm(path)
  await writeFile(
    `${path}.part`,
    Buffer.concat([half.subarray(0, half.length / 2), randomBytes(2 * half.length)]),
  )
  for (const spool of ['index', 'sums']) await writeFile(`${path}.part.${spool}`, randomBytes(100_000))

  await exportWorkspace(w.ctx, path, { options: ALL, key: null })
  assert.deepEqual(await readdir(folder), ['acme.parley'])
  assert.deepEqual((await verifyPortable(path)).faults, [])
  const again = await readEntries(path)
  assert.deepEqual([...again.keys()], [...whole.keys()])
  const differing = [...whole].filter(([name, bytes]) => !again.get(name)?.equals(bytes))
  assert.deepEqual(
    differing.map(([name]) => name).filter((name) => !['parley.json', 'sums.jsonl'].includes(name)),
    [],
  )
})
