import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transaction } from '../platform/db/transaction.js'
import { upload } from '../testing/upload.js'
import { world } from '../testing/world.js'
import { writeMessage } from '../testing/write-message.js'
import { copyFiles, dropFiles, dropFilesOf } from './attach.js'
import { actorOf, DAY_MS, setUp } from './testing-files.js'

test('a dropped file is erased once nothing uses its object', async (t) => {
  const stage = await world(t)
  const { ctx, alice, office, drain } = stage
  const { attach, stored } = setUp(stage)
  const key = await upload(alice, 'a.txt')
  const message_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
  const forward_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
  await attach(actorOf(alice), { message_id }, [{ key, name: 'a.txt' }])
  await transaction(ctx, (tx) => copyFiles(tx, ctx, { message_id }, { message_id: forward_id }))

  await transaction(ctx, (tx) => dropFilesOf(tx, ctx, { message_id }))
  await drain()
  assert.equal((await stored(key))?.size, 5)

  await transaction(ctx, (tx) => dropFilesOf(tx, ctx, { message_id: forward_id }))
  await drain()
  assert.equal(await stored(key), undefined)
})

test('an upload that nobody uses goes after 14 days, one that is used stays', async (t) => {
  const stage = await world(t)
  const { alice, office, clock, drain } = stage
  const { attach, stored } = setUp(stage)
  const [used, unused] = [await upload(alice, 'used.txt'), await upload(alice, 'unused.txt')]
  const message_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
  await attach(actorOf(alice), { message_id }, [{ key: used, name: 'used.txt' }])
  await drain()

  clock.advance(13 * DAY_MS)
  await drain()
  assert(await stored(unused))
  clock.advance(DAY_MS + 3_600_000)
  await drain()
  assert.equal(await stored(unused), undefined)
  assert(await stored(used))
})

test('a crash between dropping and erasing is made good by the sweep', async (t) => {
  const stage = await world(t)
  const { ctx, alice, office, clock, drain } = stage
  const { attach, stored } = setUp(stage)
  const key = await upload(alice, 'a.txt')
  const message_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
  const [file] = await attach(actorOf(alice), { message_id }, [{ key, name: 'a.txt' }])
  await drain()
  await transaction(ctx, (tx) => dropFiles(tx, ctx, [file?.id as number]))
  await ctx.db.deleteFrom('jobs').where('kind', '=', 'files.erase').execute()

  clock.advance(3_600_000)
  await drain()
  assert.equal(await stored(key), undefined)
})
