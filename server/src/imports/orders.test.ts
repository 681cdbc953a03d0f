import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import * as api from '@parley/contract'
import { slackExport } from '@parley/imports/testing'
import { sql } from 'kysely'
import { exportWorkspace } from '../portable/export.js'
import { type World, world } from '../testing/world.js'
import { pace } from './pace.js'
import { archiveOf, sizes } from './testing-import.js'

const WHOLE = {
  without_files: false,
  without_audit: true,
  without_personal_chats: false,
  with_addresses: false,
  since: null,
}

/** Stores an archive as a client does that uploads it in parts. */
async function uploadParts(w: World, archive: string, count: number): Promise<string[]> {
  const bytes = await readFile(archive)
  const size = Math.ceil(bytes.length / count)
  const keys = Array.from({ length: count }, () => `attaches/files/${w.owner.id}/${randomUUID()}/slack.zip`)
  for (const [n, key] of keys.entries())
    await w.ctx.storage.write(key, bytes.subarray(n * size, (n + 1) * size), 'application/zip')
  return keys
}

test('the owner checks, runs and undoes an import by the API, from a folder or an upload', async (t) => {
  const archive = await archiveOf(t, slackExport())
  const folder = join(dirname(archive), 'imports')
  await mkdir(folder)
  await copyFile(archive, join(folder, 'slack.zip'))
  await writeFile(join(folder, 'broken.zip'), 'PK no archive')
  await symlink('/etc/passwd', join(folder, 'link'))
  const w = await world(t, { env: { PARLEY_IMPORT_DIR: folder } })
  const owner = await w.as(w.owner.id, { session: true })
  const order = async (request: api.ImportOrderRequest['import']) => {
    const { data } = await owner.call(api.orderImport, { body: { import: request } })
    assert.deepEqual([data.state, data.report], ['waiting', null])
    await w.drain()
    return (await owner.call(api.getImport, { params: { id: data.id } })).data
  }
  const before = await sizes(w)
  const checked = await order({ kind: 'check', path: 'slack.zip', workspace: 'T1' })
  assert.deepEqual([checked.state, checked.import_id, checked.error], ['done', null, null])
  assert.deepEqual((await sizes(w)).messages, before.messages)
  const done = await order({ kind: 'run', order_id: checked.id })
  assert.equal(done.state, 'done')
  assert.deepEqual(done.report?.counts, checked.report?.counts, 'a check says what the run does')
  const remarks = done.report?.remarks ?? []
  assert.deepEqual(
    remarks.filter(({ code }) => code === null),
    [],
    'clients have a code for every reason',
  )
  assert.ok(remarks.some(({ code, detail }) => code === 'kind_skipped' && detail === 'message_changed'))
  const after = await sizes(w)

  const key = `attaches/files/${w.owner.id}/0b8f2c1e-8a39-4c55-9d2f-1f2e3d4c5b6a/slack.zip`
  await w.ctx.storage.write(key, createReadStream(archive), 'application/zip')
  const again = await order({ kind: 'run', file_key: key, workspace: 'T1' })
  assert.deepEqual([again.state, again.archive], ['done', key])
  assert.deepEqual((await sizes(w)).messages, after.messages, 'the same archive as an upload adds nothing')

  const parts = await uploadParts(w, archive, 3)
  const inParts = await order({ kind: 'check', file_keys: parts, workspace: 'T1' })
  assert.deepEqual(
    [inParts.state, inParts.archive, inParts.report?.counts.message?.written],
    ['done', parts[0], 0],
  )
  assert.deepEqual(inParts.report?.counts.message?.read, done.report?.counts.message?.read)

  const failed = await order({ kind: 'run', path: 'broken.zip' })
  assert.equal(failed.state, 'failed')
  assert.match(failed.error ?? '', /^The archive cannot be imported: /)

  const { data: preview } = await owner.call(api.previewImportUndo, { params: { id: done.id } })
  assert.deepEqual(preview.used_chats, [])
  assert.equal(preview.counts.message, Number(after.messages) - Number(before.messages))
  assert.equal(preview.counts.chat, done.report?.counts.chat?.written)
  assert.ok((preview.counts.file ?? 0) > 0)
  const { data: undoing } = await owner.call(api.undoImport, { params: { id: done.id } })
  await w.drain()
  const { data: undone } = await owner.call(api.getImport, { params: { id: undoing.id } })
  assert.deepEqual([undone.kind, undone.state, undone.error], ['undo', 'done', null])
  assert.deepEqual((await sizes(w)).messages, before.messages)
  const { data: all } = await owner.call(api.listImports, {})
  assert.deepEqual(
    all.map(({ kind, state }) => `${kind} ${state}`),
    ['undo done', 'run failed', 'check done', 'run done', 'run done', 'check done'],
  )

  const refused = (request: object) =>
    owner.call(api.orderImport, { body: { import: { kind: 'run', ...request } as never } })
  for (const path of ['../export.zip', 'link', '/etc/passwd', 'nowhere.zip', '.'])
    await assert.rejects(refused({ path }), { status: 422, code: 'not_found' }, path)
  await assert.rejects(refused({}), { status: 422, code: 'blank' })
  await assert.rejects(refused({ path: 'slack.zip', file_key: key }), { status: 422, code: 'invalid' })
  const mapping = { chats: { C1: 99_999 } }
  await assert.rejects(refused({ path: 'slack.zip', mapping }), { status: 422, code: 'not_found' })
  await assert.rejects(refused({ order_id: 999 }), { status: 422, code: 'not_found' })
  await assert.rejects(refused({ order_id: undone.id }), { status: 422, code: 'not_found' })
  await assert.rejects(refused({ file_keys: [...parts, `${parts[0]}x`] }), { status: 422, code: 'not_found' })
  const foreign = key.replace(`/${w.owner.id}/`, `/${w.alice.id}/`)
  await assert.rejects(refused({ file_key: foreign }), { status: 422, code: 'not_found' })
  await assert.rejects(owner.call(api.undoImport, { params: { id: checked.id } }), { status: 422 })
  await assert.rejects(owner.call(api.previewImportUndo, { params: { id: checked.id } }), { status: 422 })
  await assert.rejects(owner.call(api.undoImport, { params: { id: 999 } }), { status: 404 })
  const admin = await w.as(w.admin.id, { session: true })
  await assert.rejects(admin.call(api.listImports, {}), { status: 403 })
})

test('a portable file is checked and run by the API like any archive, and only whole', async (t) => {
  const w = await world(t)
  const folder = dirname(await archiveOf(t, { x: '1' }))
  const file = join(folder, 'acme.parley')
  const pair = generateKeyPairSync('ed25519')
  const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString()
  await exportWorkspace(w.ctx, file, { options: WHOLE, key: pair.privateKey })
  const key = `attaches/files/${w.owner.id}/${randomUUID()}/acme.parley`
  await w.ctx.storage.write(key, createReadStream(file), 'application/zip')
  const owner = await w.as(w.owner.id, { session: true })
  const order = async (request: Partial<api.ImportOrderRequest['import']>) => {
    const { data } = await owner.call(api.orderImport, {
      body: { import: { kind: 'check', file_key: key, ...request } },
    })
    await w.drain()
    return (await owner.call(api.getImport, { params: { id: data.id } })).data
  }
  const checked = await order({ public_key: pem(pair.publicKey) })
  assert.deepEqual([checked.state, checked.report?.source], ['done', 'portable'])
  assert.deepEqual(checked.report?.lost_codes, ['secrets'])
  const stranger = generateKeyPairSync('ed25519')
  const foreign = await order({ kind: 'run', public_key: pem(stranger.publicKey) })
  assert.deepEqual([foreign.state, foreign.error_code, foreign.import_id], ['failed', 'not_whole', null])
  const again = await order({ kind: 'run', file_key: undefined, order_id: foreign.id } as never)
  assert.equal(again.error_code, 'not_whole', 'the key is one of the choices that an order takes over')
  const sealed = stranger.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const kept = await order({ public_key: sealed })
  assert.equal(kept.error_code, 'not_whole')
  const { rows: keys } = await sql`select from import_orders where public_key like '%PRIVATE%'`.execute(
    w.ctx.autocommit,
  )
  assert.equal(keys.length, 0, 'of a private key only the public half is kept')
  await assert.rejects(order({ public_key: 'no key' }), { status: 422, code: 'invalid' })
  const done = await order({ kind: 'run', options: { name_prefix: 'copy: ' } })
  assert.deepEqual([done.state, done.error], ['done', null])
  assert.deepEqual(done.report?.counts, checked.report?.counts)
  assert.ok((done.report?.counts.chat?.written ?? 0) > 0)
  assert.deepEqual(
    [done.report?.user_id, done.report?.options, checked.report?.archive_sha256],
    [w.owner.id, { name_prefix: 'copy: ' }, null],
  )
  assert.match(done.report?.archive_sha256 ?? '', /^[0-9a-f]{64}$/)
  const alice = await w.as(w.alice.id, { session: true })
  const { data: chats } = await alice.call(api.listChats, { query: { limit: 50 } })
  assert.ok(
    chats.some(({ name }) => name.startsWith('copy: ')),
    chats.map(({ name }) => name).join(),
  )
  const part = await order({ options: { only_public: true } })
  assert.deepEqual(
    [part.state, part.error],
    ['failed', 'The archive cannot be imported: a portable file is imported whole, without only_public.'],
  )
  assert.deepEqual([part.error_code, part.error_detail], ['imported_whole', 'only_public'])
  const [slack = ''] = await uploadParts(w, await archiveOf(t, slackExport()), 1)
  const unsigned = await order({ file_key: slack, public_key: pem(pair.publicKey) })
  assert.equal(unsigned.error_code, 'not_signed')
})

test('an order of a run that broke off can be undone', async (t) => {
  const w = await world(t)
  const owner = await w.as(w.owner.id, { session: true })
  const archive = await archiveOf(t, slackExport())
  const [key = ''] = await uploadParts(w, archive, 1)
  const body = { import: { kind: 'run' as const, file_key: key, workspace: 'T1' } }
  const { data: ordered } = await owner.call(api.orderImport, { body })
  // As a run that was begun and whose upload was erased before it went on.
  await w.ctx.autocommit
    .insertInto('imports')
    .values({
      user_id: w.owner.id,
      source: 'slack',
      workspace: 'T1',
      archive: key,
      options: '{}',
      counts: '{}',
      state: 'writing',
      created_at: new Date(w.clock.now()),
    })
    .execute()
  await w.ctx.storage.remove(key)
  await w.drain()
  const { data: broken } = await owner.call(api.getImport, { params: { id: ordered.id } })
  assert.deepEqual([broken.state, broken.error], ['failed', 'The upload is not there any more.'])
  assert.equal(typeof broken.import_id, 'number')
  const { data: undoing } = await owner.call(api.undoImport, { params: { id: broken.id } })
  await w.drain()
  const { data: undone } = await owner.call(api.getImport, { params: { id: undoing.id } })
  assert.equal(undone.state, 'done')
})

test('a running server carries out an order in a thread of its own, also one that must fail', async (t) => {
  const w = await world(t, { working: true, env: { PARLEY_LOG_LEVEL: 'fatal' } })
  const owner = await w.as(w.owner.id, { session: true })
  const key = `attaches/files/${w.owner.id}/${randomUUID()}/slack.zip`
  await w.ctx.storage.write(key, Buffer.from('PK no archive'), 'application/zip')
  const body = { import: { kind: 'run' as const, file_key: key } }
  const started = once(process, 'worker')
  const { data: ordered } = await owner.call(api.orderImport, { body })
  const [thread] = await started
  await once(thread, 'exit')
  const { data: failed } = await owner.call(api.getImport, { params: { id: ordered.id } })
  assert.equal(failed.state, 'failed')
  assert.match(failed.error ?? '', /^The archive cannot be imported: /)
})

test('progress tells the speed of a phase and what is left of it, from where it goes on', () => {
  let ms = 0
  const paced = pace(() => ms)
  assert.deepEqual(paced({ phase: 'message', done: 500, total: 1000 }), {
    phase: 'message',
    done: 500,
    total: 1000,
    rate: 0,
    seconds_left: null,
  })
  ms = 2000
  const { rate, seconds_left } = paced({ phase: 'message', done: 700, total: 1000 })
  assert.deepEqual([rate, seconds_left], [100, 3])
  assert.equal(paced({ phase: 'read', done: 10, total: null }).seconds_left, null)
})

test('without a folder of imports no path can be imported', async (t) => {
  const w = await world(t)
  const owner = await w.as(w.owner.id, { session: true })
  const body = { import: { kind: 'run' as const, path: 'slack.zip' } }
  await assert.rejects(owner.call(api.orderImport, { body }), { status: 422, code: 'not_found' })
})
