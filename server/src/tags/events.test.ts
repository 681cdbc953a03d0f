import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGroupTag, deleteGroupTag, updateGroupTag, updateUser } from '@parley/contract'
import { world } from '../testing/world.js'

test('everybody hears of tags that are made, renamed and deleted, and of nothing that was refused', async (t) => {
  const { admin, alice, events } = await world(t)
  const named = (name: string) => ({ body: { group_tag: { name } } })
  const { data } = await admin.call(createGroupTag, named('Design'))
  await assert.rejects(admin.call(createGroupTag, named('design')))
  const params = { id: data.id }
  await admin.call(updateGroupTag, { params, ...named('Art') })
  await admin.call(updateUser, { params: { id: alice.id }, body: { user: { list_tags: ['Art', 'New'] } } })
  await admin.call(deleteGroupTag, { params })
  const told = (await events()).filter(({ type }) => type.startsWith('group_tag.'))
  assert.deepEqual(
    told.map(({ type, payload }) => [type, payload.name]),
    [
      ['group_tag.created', 'Design'],
      ['group_tag.updated', 'Art'],
      ['group_tag.created', 'New'],
      ['group_tag.deleted', 'Art'],
    ],
  )
})
