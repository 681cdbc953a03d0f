import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createScimToken, listChatMembers } from '@parley/contract'
import { tag } from '../chats/testing-stage.js'
import { bind, newChat } from '../members/testing-races.js'
import { beginBeside, untilBlocked } from '../testing/locks.js'
import { world } from '../testing/world.js'

test('the tags and chats of all who come into a group are locked before the first of them comes', async (t) => {
  const w = await world(t)
  const { alice, owner, person } = w
  const [one, two] = [await person({}), await person({})]
  const group = await tag(w, 'Group', [])
  const other = await tag(w, 'Other', [two])
  const [low, high] = [await newChat(alice, { member_ids: [one.id] }), await newChat(alice)]
  await bind(alice, low, group)
  await bind(alice, high, group)
  const session = await w.as(owner.id, { session: true })
  const { data } = await session.call(createScimToken, { body: { name: 'directory' } })
  const patch = (op: string) =>
    fetch(`${data.base_url}/Groups/${group}`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${data.token}`, 'Content-Type': 'application/scim+json' },
      body: JSON.stringify({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op, path: 'members', value: [one, two].map(({ id }) => ({ value: String(id) })) }],
      }),
    })
  const TAG = 'select from group_tags where id = $1 for no key update'
  const COUNT = 'select from chat_rosters where chat_id = $1 for no key update'
  for (const [op, first] of [
    ['add', [TAG, other]],
    ['remove', [TAG, other]],
    ['add', [COUNT, low]],
  ] as const) {
    const beside = await beginBeside(t, w)
    await beside.query(first[0], [first[1]])
    const patching = patch(op)
    await untilBlocked(w)
    await beside.query(COUNT, [high])
    await beside.query('commit')
    assert.equal((await patching).status, 200)
    const { data: members } = await alice.call(listChatMembers, { params: { id: high } })
    assert.equal(members.length, op === 'add' ? 3 : 1)
  }
})
