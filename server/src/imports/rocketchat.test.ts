import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import * as api from '@parley/contract'
import { ArchiveError, openSource } from '@parley/imports'
import {
  type Collections,
  rocketChatCsv,
  rocketChatDump,
  rocketChatFolder,
  writeMongoArchive,
} from '@parley/imports/testing'
import { sql } from 'kysely'
import { type World, world } from '../testing/world.js'
import {
  archiveOf,
  assertAllCounted,
  assertNothingNew,
  assertTold,
  bringIn,
  bringInChecked,
  holdersOf,
  picturesOf,
  rights,
  roster,
} from './testing-import.js'

/** A dump with the folder of its file store beside it. */
const withStore = (files: Record<string, unknown>) => ({ ...files, 'uploads/disk.txt': Buffer.from('disk') })

test('a dump of Rocket.Chat with every trap comes in with the rights of the source, and a second run writes nothing', async (t) => {
  const w = await world(t)
  const archive = await archiveOf(t, withStore(rocketChatFolder(rocketChatDump())))
  const done = await bringInChecked(w, archive)

  assert.deepEqual(await roster(w), [
    'Gone.Girl user former',
    'anna.b admin',
    'boris user',
    'carl user suspended',
    'dora.new user',
    'gus multi_guest',
    'integrations_bot bot',
    'nobody user without mail',
    'pollapp_bot bot',
    'rocketcat_bot bot',
    'twin1 user',
    'twin2 user',
  ])
  assert.deepEqual(await rights(w), [
    ['General ✓', 'conversation', true, 'anna.b:owner boris:admin dora.new:admin gus:member'],
    ['news', 'channel', true, 'anna.b:owner boris:member'],
    ['closed', 'conversation', false, 'anna.b:member boris:owner'],
    ['squad', 'conversation', false, 'anna.b:owner'],
    ['', 'personal', false, 'anna.b:admin boris:admin'],
    ['', 'personal', false, 'anna.b:admin'],
    ['Anna Berg, boris, gus', 'conversation', false, 'anna.b:owner boris:member gus:member'],
    ['', 'personal', false, 'anna.b:admin'],
    ['With a guest', 'conversation', false, 'boris:owner gus:member'],
    ['Without its message', 'conversation', true, 'anna.b:member owner:owner'],
    ['Deeper', 'conversation', true, 'owner:owner'],
  ])
  assert.deepEqual(await picturesOf(w), ['anna.b 200 image/png 1', 'boris 200 image/png 1'])
  await assertMessages(w)

  await assertTold(w, done.id, [
    'is a former version of an edited message',
    'is encrypted',
    'is damaged',
    'is a room of customer service',
    'was open to its team, and is closed here',
    'is a discussion, and becomes a thread',
    'is by somebody who was renamed or removed',
    'has parts that are not in the dump',
    'lies in a store that is not in the archive',
    'was never uploaded whole',
    'is of the kind constructor',
    'has an id that is too long',
  ])
  assert.deepEqual(await holdersOf(w, archive, 'planted-secret'), [], 'no secret of the source is kept')

  await assertNothingNew(w, archive)
  await bringSameIn(w, archive)
})

async function assertMessages(w: World) {
  const anna = await w.ctx.db
    .selectFrom('users')
    .select(['id', 'role', 'nickname'])
    .where('email', '=', 'anna@example.org')
    .executeTakeFirstOrThrow()
  assert.equal(anna.role, 'admin')
  const session = await w.as(anna.id, { session: true })
  const { data: chats } = await session.call(api.listChats, { query: { limit: 50 } })
  const general = chats.find(({ name }) => name === 'General ✓') as api.Chat
  const { data: page } = await session.call(api.listMessages, { query: { chat_id: general.id, limit: 50 } })
  const texts = page.map(({ content }) => content.slice(0, 190)).reverse()
  const long = texts.splice(-4, 2)
  assert.deepEqual(texts, [
    'the **root** for @boris, \\@carl and @all in #news',
    'shown in the room too',
    'its root is gone',
    '@boris joined the chat',
    '@anna.b renamed the chat to General ✓',
    'Encrypted message',
    'Lunch plans',
    'I was here',
    'build failed',
    'meow',
    '**two** *under* ~~gone~~ ~~one~~ `*code*` [label](https://a.org/) snake_case 😄 [x](https://b.org)\n```js\nlet a = 1\n```\n> quoted\n**Head**',
    'tree **2*3*4**👋\n7. seven\n```\na = 1\n```\nof later versions',
    'hey @Squad',
    'indeed',
    '> **carl**\n> long ago\nas said',
    '> **boris**\n> **carl**\n> inmost',
    '[Log](https://ci.example.org/7)\n*fine*',
    'the caption\n📎 torn.txt (10 bytes)\n📎 lost.png',
    'from the disk',
    'in the cloud\n📎 cloud.txt (10 bytes)\n📎 half.txt (10 bytes)',
    'unknown kind with a text',
    'zero  character',
  ])
  assert.ok(long.every((text) => text.startsWith('xxx')))
  const said = new Map(page.map((message) => [message.content, message]))
  const root = said.get(texts[0] as string) as api.Message
  assert.equal(said.get('indeed')?.parent_message_id, root.id, 'a quote of a known message answers it')
  assert.equal(said.get('build failed')?.display_name, 'CI')
  assert.notEqual(said.get('build failed')?.user_id, anna.id, 'an integration does not speak as a person')
  const { data: replies } = await session.call(api.listMessages, {
    query: { chat_id: said.get('Lunch plans')?.thread?.chat_id as number },
  })
  assert.deepEqual(replies.map(({ content }) => content).reverse(), ['pizza', 'soup', 'Deeper'])
  const ghost = await w.ctx.db
    .selectFrom('users')
    .select(['first_name', 'deleted_at'])
    .where('id', '=', said.get('I was here')?.user_id as number)
    .executeTakeFirstOrThrow()
  assert.equal(ghost.first_name, 'Gone Girl')
  assert.ok(ghost.deleted_at)
  const files = page.flatMap((message) => message.files)
  assert.deepEqual(files.map(({ name }) => name).sort(), ['disk.txt', 'zero.txt', 'öl.txt'])
  const stored = await w.ctx.db.selectFrom('files').select('key').where('name', '=', 'öl.txt').execute()
  const bytes = await w.ctx.storage.read(stored[0]?.key as string)
  assert.equal(Buffer.concat(await bytes.toArray()).toString(), '1234567890', 'chunks are put in order')
}

/** Other forms of the same dump name the same things. */
async function bringSameIn(w: World, archive: string) {
  for (const gzip of [false, true]) {
    const single = join(archive, '..', `dump-${gzip}.archive`)
    await writeMongoArchive(single, rocketChatDump(), gzip)
    await assertNothingNew(w, single)
  }
}

test('a tarball of gzipped collections comes in, and a collection that breaks off ends alone', async (t) => {
  const w = await world(t)
  const dump: Collections = rocketChatDump()
  delete dump.rocketchat_subscription
  const users = dump.users as object[]
  dump.users = users.map((user) =>
    '_id' in user && user._id === 'gus' ? { ...user, __rooms: ['closed'] } : user,
  )
  dump.rocketchat_message = [...(dump.rocketchat_message ?? []), Buffer.from([50, 0, 0, 0, 2, 95])]
  const files = rocketChatFolder(dump, { folder: 'database/0a1b2c', gzip: true })
  const archive = await archiveOf(t, { ...files, 'files/uploads/disk': Buffer.from('disk') }, 'backup')
  const done = await bringIn(w, archive)
  assertAllCounted(done)
  const members = new Map((await rights(w)).map(([name, , , inside]) => [name, inside]))
  assert.equal(members.get('closed'), 'gus:member owner:owner', 'rooms of people stand in for subscriptions')
  assert.match(members.get('General ✓') as string, /anna\.b:member boris:member/, 'and authors in open rooms')
  await assertTold(w, done.id, ['cannot be read: a document breaks off, at byte …'])
})

test('the CSV of its importer comes in, and a second run writes nothing', async (t) => {
  const w = await world(t)
  const archive = await archiveOf(t, rocketChatCsv())
  await bringInChecked(w, archive)
  assert.deepEqual(await roster(w), ['ann user', 'ben user without mail', 'gone user former'])
  assert.deepEqual(await rights(w), [
    ['open', 'conversation', true, 'ann:owner ben:member'],
    ['hidden', 'conversation', false, 'ben:owner'],
    ['', 'personal', false, 'ann:admin ben:admin'],
    ['', 'personal', false, 'ann:admin'],
  ])
  const { rows } = await sql<{ content: string }>`
    select content from messages m join import_keys k on k.kind = 'message' and k.id = m.id order by m.id`.execute(
    w.ctx.autocommit,
  )
  assert.deepEqual(
    rows.map(({ content }) => content),
    ['Hello, **@ben**\nand "you"', 'from nobody described', 'only us', 'psst', 'yes?', 'to self'],
  )
  await assertNothingNew(w, archive)
})

test('an archive of mongodump that is damaged, or leads outside, is refused or read without it', async (t) => {
  const path = await archiveOf(t, { x: '1' })
  const single = join(path, '..', 'dump.archive')
  await writeMongoArchive(single, rocketChatDump(), false)
  const source = await openSource(single, null, {})
  assert.equal(source.workspace, 'installation-7')
  let told = ''
  for await (const record of source.records()) told += JSON.stringify(record)
  await source.close()
  assert.ok(told.includes('outside') && !told.includes('planted-secret'))
  await writeFile(single, (await readFile(single)).subarray(0, 5000))
  await assert.rejects(openSource(single, null, {}), ArchiveError)
})
