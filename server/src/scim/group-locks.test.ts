import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createScimToken, listChatMembers } from '@parley/contract'
import { tag } from '../chats/testing-stage.js'
import { bind, newChat } from '../members/testing-races.js'
import { beginBeside, untilBlocked } from '../testing/locks.js'
import { type Person, world } from '../testing/world.js'

const COUNT = 'select from chat_rosters where chat_id = $1 for no key update'

async function stage(t: TestContext) {
  const w = await world(t)
  const session = await w.as(w.owner.id, { session: true })
  const { data } = await session.call(createScimToken, { body: { name: 'directory' } })
  const patch = (group: number, op: string, people: readonly Person[]) =>
    fetch(`${data.base_url}/Groups/${group}`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${data.token}`, 'Content-Type': 'application/scim+json' },
      body: JSON.stringify({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op, path: 'members', value: people.map(({ id }) => ({ value: String(id) })) }],
      }),
    })
  return { ...w, patch }
}

test('the tags and chats of all who come into a group are locked before the first of them comes', async (t) => {
  const w = await stage(t)
  const { alice, person, patch } = w
  const [one, two] = [await person({}), await person({})]
  const group = await tag(w, 'Group', [])
  const other = await tag(w, 'Other', [two])
  const [low, high] = [await newChat(alice, { member_ids: [one.id] }), await newChat(alice)]
  await bind(alice, low, group)
  await bind(alice, high, group)
  const TAG = 'select from group_tags where id = $1 for no key update'
  for (const [op, first] of [
    ['add', [TAG, other]],
    ['remove', [TAG, other]],
    ['add', [COUNT, low]],
  ] as const) {
    const beside = await beginBeside(t, w)
    await beside.query(first[0], [first[1]])
    const patching = patch(group, op, [one, two])
    await untilBlocked(w)
    await beside.query(COUNT, [high])
    await beside.query('commit')
    assert.equal((await patching).status, 200)
    const { data: members } = await alice.call(listChatMembers, { params: { id: high } })
    assert.equal(members.length, op === 'add' ? 3 : 1)
  }
})

test('who is deleted while they come into a group does not come, and nobody comes into a group that is', async (t) => {
  const w = await stage(t)
  const { ctx, person, patch } = w
  const [one, two] = [await person({}), await person({})]
  const group = await tag(w, 'Group', [])
  const DELETIONS = [
    ['update users set deleted_at = now() where id = $1', one.id, 400],
    ['delete from group_tags where id = $1', group, 404],
  ] as const
  for (const [deletion, id, status] of DELETIONS) {
    const deleting = await beginBeside(t, w)
    await deleting.query(deletion, [id])
    const patching = patch(group, 'add', status === 400 ? [one] : [two])
    await untilBlocked(w)
    await deleting.query('commit')
    assert.equal((await patching).status, status)
  }
  const { rows } = await ctx.pool.query('select from user_tags where user_id = any($1)', [[one.id, two.id]])
  assert.equal(rows.length, 0)
})

test('who comes into a group while others are added to it stays', async (t) => {
  const w = await stage(t)
  const { ctx, person, patch } = w
  const [one, two, three] = [await person({}), await person({}), await person({})]
  const group = await tag(w, 'Group', [one])
  const adding = await beginBeside(t, w)
  await adding.query('select from group_tags where id = $1 for no key update', [group])
  const patching = patch(group, 'add', [three])
  await untilBlocked(w)
  await adding.query('insert into user_tags (tag_id, user_id) values ($1, $2)', [group, two.id])
  await adding.query('commit')
  assert.equal((await patching).status, 200)
  const { rows } = await ctx.pool.query('select user_id from user_tags where tag_id = $1 order by 1', [group])
  assert.deepEqual(
    rows,
    [one, two, three].map(({ id }) => ({ user_id: id })),
  )
})

test('people who came into a group meanwhile are held before its tag', async (t) => {
  const w = await stage(t)
  const { ctx, person, patch } = w
  const [one, two, three] = [await person({}), await person({}), await person({})]
  const group = await tag(w, 'Group', [one])
  const TAG = 'select from group_tags where id = $1 for no key update'
  const adding = await beginBeside(t, w)
  await adding.query(TAG, [group])
  const holding = await beginBeside(t, w)
  await holding.query('select from users where id = $1 for no key update', [two.id])
  const patching = patch(group, 'replace', [three])
  await untilBlocked(w)
  await adding.query('insert into user_tags (tag_id, user_id) values ($1, $2)', [group, two.id])
  await adding.query('commit')
  await untilBlocked(w)
  await holding.query(TAG, [group])
  await holding.query('commit')
  assert.equal((await patching).status, 200)
  const { rows } = await ctx.pool.query('select user_id from user_tags where tag_id = $1', [group])
  assert.deepEqual(rows, [{ user_id: three.id }])
})
