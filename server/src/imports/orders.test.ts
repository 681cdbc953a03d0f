import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import * as api from '@parley/contract'
import { slackExport } from '@parley/imports/testing'
import { world } from '../testing/world.js'
import { archiveOf, sizes } from './testing-import.js'

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
  const done = await order({ kind: 'run', path: 'slack.zip', workspace: 'T1' })
  assert.equal(done.state, 'done')
  assert.deepEqual(done.report?.counts, checked.report?.counts, 'a check says what the run does')
  const after = await sizes(w)

  const key = `attaches/files/${w.owner.id}/0b8f2c1e-8a39-4c55-9d2f-1f2e3d4c5b6a/slack.zip`
  await w.ctx.storage.write(key, createReadStream(archive), 'application/zip')
  const again = await order({ kind: 'run', file_key: key, workspace: 'T1' })
  assert.deepEqual([again.state, again.archive], ['done', key])
  assert.deepEqual((await sizes(w)).messages, after.messages, 'the same archive as an upload adds nothing')

  const failed = await order({ kind: 'run', path: 'broken.zip' })
  assert.equal(failed.state, 'failed')
  assert.match(failed.error ?? '', /^The archive cannot be imported: /)

  const { data: undoing } = await owner.call(api.undoImport, { params: { id: done.id } })
  await w.drain()
  const { data: undone } = await owner.call(api.getImport, { params: { id: undoing.id } })
  assert.deepEqual([undone.kind, undone.state, undone.error], ['undo', 'done', null])
  assert.deepEqual((await sizes(w)).messages, before.messages)
  const { data: all } = await owner.call(api.listImports, {})
  assert.deepEqual(
    all.map(({ kind, state }) => `${kind} ${state}`),
    ['undo done', 'run failed', 'run done', 'run done', 'check done'],
  )

  const refused = (request: object) =>
    owner.call(api.orderImport, { body: { import: { kind: 'run', ...request } as never } })
  for (const path of ['../export.zip', 'link', '/etc/passwd', 'nowhere.zip', '.'])
    await assert.rejects(refused({ path }), { status: 422, code: 'not_found' }, path)
  await assert.rejects(refused({}), { status: 422, code: 'blank' })
  await assert.rejects(refused({ path: 'slack.zip', file_key: key }), { status: 422, code: 'invalid' })
  const foreign = key.replace(`/${w.owner.id}/`, `/${w.alice.id}/`)
  await assert.rejects(refused({ file_key: foreign }), { status: 422, code: 'not_found' })
  await assert.rejects(owner.call(api.undoImport, { params: { id: checked.id } }), { status: 422 })
  await assert.rejects(owner.call(api.undoImport, { params: { id: 999 } }), { status: 404 })
  const admin = await w.as(w.admin.id, { session: true })
  await assert.rejects(admin.call(api.listImports, {}), { status: 403 })
})

test('without a folder of imports no path can be imported', async (t) => {
  const w = await world(t)
  const owner = await w.as(w.owner.id, { session: true })
  const body = { import: { kind: 'run' as const, path: 'slack.zip' } }
  await assert.rejects(owner.call(api.orderImport, { body }), { status: 422, code: 'not_found' })
})
