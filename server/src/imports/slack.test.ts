import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as api from '@parley/contract'
import { openSource } from '@parley/imports'
import { slackExport, writeZip } from '@parley/imports/testing'
import { sql } from 'kysely'
import { actingFor } from '../platform/actor.js'
import { type World, world } from '../testing/world.js'
import { listRemarks } from './queries.js'
import { runImport } from './run.js'

async function archiveOf(t: TestContext, entries: Record<string, unknown>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-archive-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'export.zip')
  await writeZip(path, entries)
  return path
}

async function bringIn({ ctx, owner }: World, archive: string) {
  const source = await openSource(archive, 'T1', {})
  try {
    const actor = actingFor(owner.id, 'owner', 'corporation')
    return await runImport(ctx, actor, source, { archive, options: {} })
  } finally {
    await source.close()
  }
}

/** How many rows there are in each table that an import writes. */
async function sizes({ ctx }: World) {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from users) users, (select count(*) from chats) chats, (select count(*) from messages) messages,
      (select count(*) from chat_members) members, (select count(*) from reactions) reactions, (select count(*) from files) files,
      (select count(*) from pins) pins, (select count(*) from threads) threads, (select count(*) from import_keys) keys,
      (select count(*) from events) events, (select count(*) from jobs where kind <> 'files.erase') jobs`.execute(
    ctx.autocommit,
  )
  return rows[0] as Record<string, number>
}

test('a Slack export with every trap comes in, silently, and a second run writes nothing', async (t) => {
  const w = await world(t)
  const archive = await archiveOf(t, slackExport())
  const before = await sizes(w)
  const done = await bringIn(w, archive)
  assert.equal(done.state, 'done')
  for (const [kind, { read, written, merged, skipped }] of Object.entries(
    done.counts as Record<string, Record<'read' | 'written' | 'merged' | 'skipped', number>>,
  ))
    assert.equal(read, written + merged + skipped, `${kind}: ${read} = ${written} + ${merged} + ${skipped}`)

  const anna = await w.ctx.db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', 'anna@example.org')
    .executeTakeFirstOrThrow()
  assert.deepEqual(
    [anna.role, anna.nickname, anna.password_hash, anna.time_zone],
    ['admin', 'anna', null, 'Europe/Oslo'],
  )
  const session = await w.as(anna.id, { session: true })
  const { data: chats } = await session.call(api.listChats, { query: { limit: 50 } })
  const named = new Map(chats.map((chat) => [chat.name, chat]))
  assert.ok(named.get('secret') && named.get('général')?.public)
  assert.ok(named.has('Anna Berg, Boris K, Dora'))

  const general = named.get('général') as { id: number }
  const { data: page } = await session.call(api.listMessages, { query: { chat_id: general.id, limit: 50 } })
  const texts = page.map(({ content }) => content.slice(0, 40)).reverse()
  assert.deepEqual(texts.slice(0, 3), ['**root** @boris <b>', 'first of the second', 'second'])
  assert.ok(texts.includes('failed\n[Log](https://ci.example.org/7)'), JSON.stringify(texts))
  assert.ok(texts.includes('rich **2*3*4 <b>**\n1. @anna'))
  assert.ok(texts.includes('elsewhere\n[Plan](https://docs.example.org'.slice(0, 40)))
  assert.ok(texts.includes('orphan'), 'a reply without its root stands in the chat')
  assert.equal(
    texts.filter((text) => text.startsWith('xxx')).length,
    2,
    'a long text goes on in a second message',
  )
  const root = page.at(-1) as api.Message
  assert.equal(root.created_at, '2020-09-13T12:26:41.000Z')
  assert.ok(root.thread, 'the root has its thread')
  const { data: replies } = await session.call(api.listMessages, {
    query: { chat_id: root.thread?.chat_id as number },
  })
  assert.deepEqual(replies.map(({ content }) => content).sort(), ['late reply', 'told twice'])
  const copy = page.find(({ content }) => content === 'told twice')
  assert.ok(copy?.forwarding)
  const withFile = page.find(({ files }) => files.length > 0)
  assert.deepEqual([withFile?.content, withFile?.files[0]?.name], ['📎 lost.png (7 bytes)', 'passwd.txt'])
  assert.equal(page.find(({ content }) => content.startsWith('failed'))?.display_name, 'Build 7')
  const { data: reactions } = await session.call(api.listReactions, { params: { id: root.id } })
  assert.equal(reactions.length, 2)
  const { data: unread } = await session.call(api.getUnread, {}).catch(() => ({ data: null }))
  if (unread) assert.equal(JSON.stringify(unread).includes('"unread":1'), false)

  const after = await sizes(w)
  assert.equal(after.events, before.events, 'nobody is told')
  assert.equal(after.jobs, before.jobs)
  const remarks = await listRemarks(w.ctx.db, done.id)
  const reasons = new Set(remarks.map(({ reason }) => reason.split(':')[0]))
  for (const reason of [
    'is there twice',
    'has no time',
    'is not in the archive',
    'is of the kind message_changed',
    'is a folder of no known chat',
    'cannot be read',
    'is no emoji that exists here',
    'is no object',
  ])
    assert.ok(reasons.has(reason), `${reason} is told: ${[...reasons].join(', ')}`)
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from messages where content like '%xoxe%') or exists (select from import_remarks where ids::text like '%xoxe%')
      or exists (select from import_objects where name like '%xoxe%') as found`.execute(w.ctx.autocommit)
  assert.equal(rows[0]?.found, false, 'no secret of the source is kept')

  const again = await bringIn(w, archive)
  assert.equal(again.state, 'done')
  assert.deepEqual(await sizes(w), after, 'a second run writes nothing')
})
