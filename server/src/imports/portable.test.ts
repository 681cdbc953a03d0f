import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createMessage } from '@parley/contract'
import { openPortable } from '@parley/imports'
import { hostileFile, readEntries, slackExport } from '@parley/imports/testing'
import { listArchived } from '../audit/archive-queries.js'
import { actingFor } from '../platform/actor.js'
import { exportWorkspace } from '../portable/export.js'
import { fillWorld } from '../portable/testing-full-world.js'
import { cloneDatabase } from '../testing/cluster.js'
import { openStage, type Stage } from '../testing/stage.js'
import { type World, world } from '../testing/world.js'
import { checkImport } from './check.js'
import { runImport } from './run.js'
import { archiveOf, assertAllCounted, bringIn, outsiders, sizes } from './testing-import.js'
import { undoImport } from './undo.js'

const ALL = {
  without_files: false,
  without_audit: true,
  without_personal_chats: false,
  with_addresses: false,
  since: null,
}

type Somewhere = Pick<World, 'ctx'>

async function exportOf(t: TestContext, { ctx }: Somewhere): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-portable-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'acme.parley')
  await exportWorkspace(ctx, path, { options: ALL, key: null })
  return path
}

/** A server after its first start. */
async function emptyServer(t: TestContext): Promise<Stage['server']> {
  const stage = await openStage({ PARLEY_RATE_LIMITS: 'off' }, 'paused', cloneDatabase)
  t.after(() => stage.close())
  return stage.server
}

async function importInto({ ctx }: Somewhere, archive: string, owner = 1) {
  const source = await openPortable(archive)
  try {
    return await runImport(ctx, actingFor(owner, 'owner', 'corporation'), source, {
      archive,
      path: archive,
      options: {},
    })
  } finally {
    await source.close()
  }
}

/** A check, which leaves everything as it was. */
async function checkIn({ ctx }: Somewhere, archive: string) {
  const before = await sizes({ ctx })
  const source = await openPortable(archive)
  try {
    const actor = actingFor(1, 'owner', 'corporation')
    return await checkImport(ctx, actor, source, { archive, path: archive, options: {} })
  } finally {
    await source.close()
    assert.deepEqual(await sizes({ ctx }), before, 'a check writes nothing')
  }
}

/** Who is in each chat and thread, and as what: in all, or in those that an import made. */
async function access({ ctx }: Somewhere, imported: boolean) {
  const { rows } = await ctx.pool.query(
    `select c.kind, case when c.kind = 'thread' then '' else c.name end as name, c.public,
      array_agg(coalesce(u.email, u.first_name) || ':' || m.role order by coalesce(u.email, u.first_name)) as members
    from chats c join chat_members m on m.chat_id = c.id join users u on u.id = m.user_id
    where not $1 or c.id in (select id from import_keys where kind in ('chat', 'thread') and made)
    group by c.id order by 1, 2, 4`,
    [imported],
  )
  return rows
}

/** Everything but the manifest, and the sums that name it. */
async function contentOf(path: string) {
  const entries = await readEntries(path)
  return [...entries].filter(([name]) => name !== 'parley.json' && name !== 'sums.jsonl')
}

test('a workspace that is written, read into an empty server and written again is equal to the byte', async (t) => {
  const a = await world(t)
  await fillWorld(a)
  await bringIn(a, await archiveOf(t, slackExport()))
  const first = await exportOf(t, a)
  const b = await emptyServer(t)
  const checked = await checkIn(b, first)
  const done = await importInto(b, first)
  assertAllCounted(done)
  assert.deepEqual(checked.counts, done.counts, 'a check says what the run does')
  assert.equal(done.keeps_ids, true)
  const [before, after] = [await contentOf(first), await contentOf(await exportOf(t, b))]
  assert.deepEqual(
    after.map(([name]) => name),
    before.map(([name]) => name),
  )
  for (const [index, [name, content]] of before.entries())
    assert.equal(after[index]?.[1].toString(), content.toString(), name)
  const counted = await sizes(b)
  assert.equal(counted.events, 1, 'nobody is told of single messages')
})

test('the owner of an empty server becomes the owner of the file, and keeps the password', async (t) => {
  const a = await world(t)
  const { pool } = a.ctx
  await pool.query(`update users set role = 'user' where id = 1`)
  await pool.query(`update users set role = 'owner' where id = $1`, [a.admin.id])
  const file = await exportOf(t, a)
  const b = await emptyServer(t)
  const { rows: before } = await b.ctx.pool.query('select password_hash from users')
  // As an order of the API leaves them: the upload of the file itself does not fill a workspace.
  await b.ctx.pool.query(`insert into uploads values ('a', 'a/acme.parley', 1, 1, now())`)
  await b.ctx.pool.query(
    `insert into import_orders (user_id, kind, file_key, created_at) values (1, 'run', 'a/acme.parley', now())`,
  )
  await importInto(b, file)
  const { rows } = await b.ctx.pool.query(
    `select id, email, password_hash, (select count(*)::int from tokens t where t.user_id = u.id) tokens,
      (select count(*)::int from uploads l join import_orders o on o.file_key = l.key and o.user_id = u.id where l.user_id = u.id) orders
    from users u where role = 'owner'`,
  )
  assert.deepEqual(rows, [{ id: a.admin.id, email: 'admin@example.org', ...before[0], tokens: 1, orders: 1 }])
  assert.deepEqual(await contentOf(await exportOf(t, b)), await contentOf(file))
})

test('into a workspace that is not empty a file goes beside what is there, once, and comes out again', async (t) => {
  const a = await world(t)
  await fillWorld(a)
  const file = await exportOf(t, a)
  const b = await world(t)
  await b.alice.call(createMessage, { body: { message: { entity_id: b.office.id, content: 'was here' } } })
  // Somebody else has bob's nickname here, and bob another one.
  await b.ctx.pool.query(`update users set nickname = 'robert' where id = $1`, [b.bob.id])
  const before = await sizes(b)
  const checked = await checkIn(b, file)
  const done = await importInto(b, file)
  assertAllCounted(done)
  assert.deepEqual(checked.counts, done.counts, 'a check says what the run does')
  assert.equal(done.keeps_ids, false)
  assert.deepEqual(await access(b, true), await access(a, false), 'whoever reads and writes is who did there')
  assert.deepEqual(await outsiders(b), [])
  const after = await sizes(b)
  assert.equal(after.events, (before.events ?? 0) + 1)
  const { rows } = await b.ctx.pool.query(
    `select m.content, u.nickname, c.id <> $1 as other, t.id is not null as has_thread
    from messages m join users u on u.id = m.user_id join chats c on c.id = m.chat_id left join threads t on t.message_id = m.id
    where m.content like 'hello%'`,
    [b.office.id],
  )
  assert.deepEqual(rows, [
    { content: 'hello **@robert**, @all and @sales', nickname: 'alice', other: true, has_thread: true },
  ])
  const { rows: forwarded } = await b.ctx.pool.query(
    `select (m.forwarding ->> 'original_message_id')::bigint = o.id as right from messages m, messages o
    where m.forwarding is not null and o.content = 'in the thread' and o.forwarding is null`,
  )
  assert.deepEqual(forwarded, [{ right: true }])
  const again = await importInto(b, file)
  assertAllCounted(again)
  const written = Object.values(again.counts as Record<string, { written: number }>).map(
    (kind) => kind.written,
  )
  assert.deepEqual(new Set(written), new Set([0]), 'a second run writes nothing')
  assert.deepEqual(await sizes(b), after)
  await undoImport(b.ctx, actingFor(b.owner.id, 'owner', 'corporation'), done.id)
  const { events, jobs, ...left } = await sizes(b)
  const { events: _, jobs: __, ...were } = before
  assert.deepEqual(left, were)
})

test('an import that is broken off goes on where it was, to the same bytes', async (t) => {
  const a = await world(t)
  await fillWorld(a)
  const file = await exportOf(t, a)
  const b = await emptyServer(t)
  for (const phase of ['person', 'message', 'chat_member']) {
    const source = await openPortable(file)
    const onProgress = (progress: { phase: string }) => {
      if (progress.phase === phase) throw new Error('broken off')
    }
    const call = { archive: file, path: file, options: {}, onProgress }
    await assert.rejects(runImport(b.ctx, actingFor(1, 'owner', 'corporation'), source, call), /broken off/)
    await source.close()
    // What a crash of the database leaves of an unlogged table.
    if (phase === 'message') await b.ctx.pool.query('truncate import_records')
  }
  await importInto(b, file)
  assert.deepEqual(await contentOf(await exportOf(t, b)), await contentOf(file))
})

test('what a file says against the rules of the database is counted and left out', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-portable-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'hostile.parley')
  await hostileFile(path)
  const b = await emptyServer(t)
  const done = await importInto(b, path)
  assertAllCounted(done)
  const counts = done.counts as Record<string, { written: number; skipped: number }>
  const told = Object.fromEntries(
    Object.entries(counts).map(([kind, { written, skipped }]) => [kind, [written, skipped]]),
  )
  assert.deepEqual(told, {
    person: [2, 1],
    chat: [2, 0],
    message: [1, 3],
    thread: [1, 1],
    draft: [0, 1],
    import_key: [0, 1],
  })
  const { rows } = await b.ctx.pool.query('select id, role, nickname, email from users order by id')
  assert.deepEqual(rows, [
    { id: 1, role: 'owner', nickname: 'owner', email: 'owner@parley.local' },
    { id: 2, role: 'admin', nickname: 'twin', email: 'twin@example.org' },
    { id: 3, role: 'user', nickname: 'TWIN2', email: null },
  ])
})

test('the audit log of a file is kept beside the log here, as it was sealed, and goes with an undo', async (t) => {
  const a = await world(t)
  await fillWorld(a)
  const folder = await mkdtemp(join(tmpdir(), 'parley-portable-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'acme.parley')
  await exportWorkspace(a.ctx, path, { options: { ...ALL, without_audit: false }, key: null })
  const sealed = ((await readEntries(path)).get('audit/000001.jsonl')?.toString() ?? '').trim().split('\n')

  const b = await emptyServer(t)
  const archived = async () => (await listArchived(b.ctx.db, { workspace: '', position: -1 }, 1000)) ?? []
  const own = async () => (await b.ctx.db.selectFrom('audit_events').select('id').execute()).length
  const before = await own()
  const done = await importInto(b, path)
  assertAllCounted(done)
  assert.deepEqual(
    (await archived()).map(({ record }) => record),
    sealed.map((line) => JSON.parse(line)),
  )
  assert.equal(await own(), before, 'the log here has no record of theirs')
  const { counts } = await importInto(b, path)
  assert.deepEqual((counts as Record<string, object>).audit, {
    read: sealed.length,
    written: 0,
    merged: sealed.length,
    skipped: 0,
  })
  await undoImport(b.ctx, actingFor(done.user_id, 'owner', 'corporation'), done.id)
  assert.deepEqual(await archived(), [])
})
