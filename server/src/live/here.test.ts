import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage, getChatCard, listUnread } from '@parley/contract'
import { world } from '../testing/world.js'
import { listenLive } from './testing-live.js'

test('@here calls the members who are present, on the hot way and on the plain one, and @all everybody', async (t) => {
  const w = await world(t)
  const { alice, office, mia } = w
  const bob = await w.as(w.bob.id, { session: true })
  const away = await w.as(mia.id, { session: true })
  await listenLive(t, w, bob)
  await listenLive(t, w, await w.as(w.admin.id, { session: true }))
  const say = (content: string, more: object = {}) =>
    alice.call(createMessage, { body: { message: { entity_id: office.id, content } }, ...more })
  const mentions = async (who: typeof bob) => {
    const { data } = await who.call(getChatCard, { params: { id: office.id } })
    return data.mention_count
  }
  await say('@here lunch')
  await say('@here, now', { idempotency_key: 'k' })
  assert.deepEqual([await mentions(bob), await mentions(away)], [2, 0])
  assert.equal((await bob.call(listUnread)).data[0]?.mentioned, true)
  assert.equal((await away.call(listUnread)).data[0]?.mentioned, false)
  await say('@all lunch')
  assert.deepEqual([await mentions(bob), await mentions(away)], [3, 1])
})
