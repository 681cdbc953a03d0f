import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openSource } from '@parley/imports'
import { writeTar, writeZip } from '@parley/imports/testing'
import { sql } from 'kysely'
import { sizeOf } from '../files/measure.js'
import { actingFor } from '../platform/actor.js'
import type { World } from '../testing/world.js'
import { checkImport } from './check.js'
import { listRemarks } from './queries.js'
import { type ImportCall, runImport } from './run.js'

/** An archive in a folder of its own: a ZIP, or a gzipped tar where `tar` names its folder. */
export async function archiveOf(
  t: TestContext,
  entries: Record<string, unknown>,
  tar?: string,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-archive-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'export.zip')
  if (tar === undefined) await writeZip(path, entries)
  else await writeTar(path, tar, entries)
  return path
}

export async function bringIn(
  { ctx, owner }: World,
  archive: string,
  call: Partial<Pick<ImportCall, 'mapping' | 'options' | 'onProgress' | 'fetching'>> = {},
) {
  const options = call.options ?? {}
  const source = await openSource(archive, 'T1', options)
  try {
    const actor = actingFor(owner.id, 'owner', 'corporation')
    return await runImport(ctx, actor, source, { archive, path: archive, ...call, options })
  } finally {
    await source.close()
  }
}

/** Everything that was read is accounted for: written, merged or skipped. */
export function assertAllCounted({ counts }: Awaited<ReturnType<typeof bringIn>>) {
  for (const [kind, { read, written, merged, skipped }] of Object.entries(
    counts as Record<string, Record<'read' | 'written' | 'merged' | 'skipped', number>>,
  ))
    assert.equal(read, written + merged + skipped, kind)
}

/** Checks an archive, which writes nothing, and imports it: the numbers are the same, and everything is accounted for. */
export async function bringInChecked(w: World, archive: string) {
  const before = await sizes(w)
  const source = await openSource(archive, 'T1', {})
  const actor = actingFor(w.owner.id, 'owner', 'corporation')
  const checked = await checkImport(w.ctx, actor, source, { archive, path: archive, options: {} })
  await source.close()
  assert.deepEqual(await sizes(w), before, 'a check writes nothing')
  const done = await bringIn(w, archive)
  assert.equal(done.state, 'done')
  assert.deepEqual(checked.counts, done.counts, 'a check says what the run does')
  const stored = await w.ctx.db
    .selectFrom('import_objects')
    .select('size')
    .where('import_id', '=', done.id)
    .execute()
  const bytes = stored.reduce((sum, { size }) => sum + Number(size), 0)
  assert.equal(checked.estimate?.file_bytes, bytes, 'and how many bytes it stores')
  const digest = createHash('sha256')
    .update(await readFile(archive))
    .digest('hex')
  assert.equal(done.archive_sha256?.toString('hex'), digest, 'what was imported can be told later')
  assertAllCounted(done)
  assert.deepEqual(await outsiders(w), [], 'nobody follows a thread whose chat is closed to them')
  return done
}

/** Who is in a thread of a closed chat and not in that chat. */
export async function outsiders({ ctx }: World): Promise<string[]> {
  const { rows } = await sql<{ nickname: string }>`
    select u.nickname from threads t join chats c on c.id = t.message_chat_id and not c.public
      join chat_members m on m.chat_id = t.chat_id join users u on u.id = m.user_id
    where not exists (select from chat_members above where above.chat_id = c.id and above.user_id = m.user_id)`.execute(
    ctx.autocommit,
  )
  return rows.map(({ nickname }) => nickname)
}

/** A second run of an archive writes nothing, of no kind. */
export async function assertNothingNew(w: World, archive: string) {
  const before = await sizes(w)
  const again = await bringIn(w, archive)
  assert.deepEqual(await sizes(w), before)
  for (const [kind, { written }] of Object.entries(again.counts as Record<string, { written: number }>))
    assert.equal(written, 0, kind)
}

/** The report names these reasons. What an archive says itself is left out of them. */
export async function assertTold({ ctx }: World, importId: number, wanted: readonly string[]) {
  const remarks = await listRemarks(ctx.db, importId)
  const reasons = new Set(remarks.flatMap(({ reason }) => [reason, reason.replace(/:.*/s, '')]))
  for (const reason of wanted) assert.ok(reasons.has(reason), `${reason}: ${[...reasons].join(', ')}`)
}

/** How many rows there are in each table that an import writes. */
export async function sizes({ ctx }: Pick<World, 'ctx'>) {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from users) users, (select count(*) from chats) chats, (select count(*) from messages) messages,
      (select count(*) from chat_members) members, (select count(*) from reactions) reactions, (select count(*) from files) files,
      (select count(*) from pins) pins, (select count(*) from threads) threads, (select count(*) from import_keys) keys,
      (select count(*) from events) events, (select count(*) from jobs where kind <> 'files.erase') jobs`.execute(
    ctx.autocommit,
  )
  return rows[0] as Record<string, number>
}

/** Everything that an import writes, without ids. */
export async function contents({ ctx }: World) {
  const { rows } = await sql<{ all: string }>`
    select jsonb_build_object(
      'messages', (select jsonb_agg(jsonb_build_array(c.name, m.number, m.content, u.nickname, m.created_at, m.system, m.deleted_at)
        order by c.name, m.created_at, m.number, m.content) from messages m join chats c on c.id = m.root_chat_id join users u on u.id = m.user_id),
      'members', (select jsonb_agg(jsonb_build_array(c.kind, c.name, u.nickname, m.role, m.read_number) order by c.kind, c.name, u.nickname, m.role, m.read_number)
        from chat_members m join chats c on c.id = m.chat_id join users u on u.id = m.user_id where c.kind <> 'thread'),
      'followers', (select count(*) from chat_members m join chats c on c.id = m.chat_id where c.kind = 'thread'),
      'reactions', (select jsonb_agg(jsonb_build_array(r.code, u.nickname) order by r.code, u.nickname) from reactions r join users u on u.id = r.user_id),
      'files', (select jsonb_agg(jsonb_build_array(name, size) order by name) from files),
      'pins', (select count(*) from pins),
      'counts', (select counts from imports order by id desc limit 1),
      'remarks', (select jsonb_agg(jsonb_build_array(kind, record_kind, reason, count) order by kind, record_kind, reason)
        from import_remarks where import_id = (select max(id) from imports)),
      'keys', (select jsonb_agg(jsonb_build_array(kind, count) order by kind) from (select kind, count(*) from import_keys group by kind) k),
      'objects', (select jsonb_agg(jsonb_build_array(source_id, size, encode(sha256, 'hex')) order by source_id) from import_objects),
      'tags', (select jsonb_agg(jsonb_build_array(t.name, u.nickname) order by t.name, u.nickname)
        from user_tags m join group_tags t on t.id = m.tag_id join users u on u.id = m.user_id),
      'people', (select jsonb_agg(jsonb_build_array(nickname, email, role, suspended, deleted_at is null) order by nickname) from users),
      'threads', (select jsonb_agg(jsonb_build_array(m.content, c.messages_count) order by m.content, c.messages_count) from threads t join chats c on c.id = t.chat_id left join messages m on m.id = t.message_id)
    )::text as all`.execute(ctx.autocommit)
  return rows[0]?.all
}

/** Whose picture the server shows, and its type. */
export async function picturesOf({ ctx, url }: World): Promise<string[]> {
  const users = await ctx.db
    .selectFrom('users')
    .select(['nickname', 'image_key'])
    .where('image_key', 'is not', null)
    .orderBy('nickname')
    .execute()
  return Promise.all(
    users.map(async ({ nickname, image_key }) => {
      const answer = await fetch(`${url}/avatars/${image_key}`)
      const { width } = (await sizeOf(Buffer.from(await answer.arrayBuffer()))) ?? {}
      return `${nickname} ${answer.status} ${answer.headers.get('content-type')} ${width}`
    }),
  )
}

/** Whom an import made: the role and the state of each. */
export async function roster({ ctx }: World) {
  const { rows } = await sql<{ told: string }>`
    select u.nickname || ' ' || case when u.bot then 'bot' else u.role end || case when u.deleted_at is not null then ' former'
      when u.suspended then ' suspended' when u.bot then '' when u.email is null then ' without mail' else '' end as told
    from users u where id in (select id from import_keys where kind = 'person' and made)
    order by u.nickname collate "C"`.execute(ctx.autocommit)
  return rows.map(({ told }) => told)
}

/** Who is in the chats of an import, and as what. */
export async function rights({ ctx }: World) {
  const { rows } = await sql<{ name: string; kind: string; public: boolean; members: string[] | null }>`
    select c.name, c.kind, c.public, array_agg(u.nickname || ':' || m.role order by u.nickname) as members
    from import_keys k join chats c on c.id = k.id and k.kind = 'chat' and k.made
      left join chat_members m on m.chat_id = c.id left join users u on u.id = m.user_id
    group by c.id order by c.id`.execute(ctx.autocommit)
  return rows.map((row) => [row.name, row.kind, row.public, row.members?.join(' ')])
}

/** Where a text is kept: records that the reader makes of the archive, and tables of the workspace. */
export async function holdersOf({ ctx }: World, archive: string, text: string): Promise<string[]> {
  const holders = new Set<string>()
  const source = await openSource(archive, 'T1', {})
  for await (const record of source.records())
    if (JSON.stringify(record).includes(text)) holders.add(`record ${record.kind}`)
  await source.close()
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'`.execute(ctx.autocommit)
  const asked = rows.map(
    ({ name }) =>
      sql`select ${name}::text as name where exists (select from ${sql.table(name)} x where x::text like ${`%${text}%`})`,
  )
  const { rows: held } = await sql<{ name: string }>`${sql.join(asked, sql` union all `)}`.execute(
    ctx.autocommit,
  )
  for (const { name } of held) holders.add(name)
  return [...holders]
}
