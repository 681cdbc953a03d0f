import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bindChatTags,
  createGroupTag,
  createUser,
  deleteGroupTag,
  deleteUser,
  getChat,
  getGroupTag,
  listGroupTags,
  listGroupTagUsers,
  removeChatMember,
  unbindChatTag,
  updateGroupTag,
  updateUser,
} from '@parley/contract'
import { audited, lines, rolesIn, tag } from '../chats/testing-stage.js'
import { type Person, type World, world } from '../testing/world.js'

const named = (name: string) => ({ body: { group_tag: { name } } })
const at = (id: number) => ({ params: { id } })

async function retag(admin: Person, { id }: Person, list_tags: string[]) {
  return (await admin.call(updateUser, { params: { id }, body: { user: { list_tags } } })).data
}

async function bind(someone: Person, chatId: number, ...ids: number[]) {
  await someone.call(bindChatTags, { ...at(chatId), body: { group_tag_ids: ids } })
}

async function isIn({ ctx }: World, chatId: number, { id }: Person): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('chat_members')
    .select('user_id')
    .where('chat_id', '=', chatId)
    .where('user_id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

test('a tag is made, renamed and deleted by admins, and the log says so', async (t) => {
  const stage = await world(t)
  const { admin, alice, bot } = stage
  const { data } = await admin.call(createGroupTag, named('  Design Team '))
  assert.deepEqual(data, { id: data.id, name: 'Design Team', users_count: 0 })
  assert.deepEqual((await alice.call(getGroupTag, at(data.id))).data, data)
  const renamed = await admin.call(updateGroupTag, { ...at(data.id), ...named('design TEAM') })
  assert.equal(renamed.data.name, 'design TEAM')
  for (const someone of [alice, bot])
    await assert.rejects(someone.call(createGroupTag, named('mine')), {
      status: 403,
      code: 'insufficient_scope',
    })
  await admin.call(deleteGroupTag, at(data.id))
  await assert.rejects(admin.call(deleteGroupTag, at(data.id)), { status: 404 })
  await assert.rejects(alice.call(getGroupTag, at(data.id)), { status: 404 })
  await assert.rejects(admin.call(updateGroupTag, { ...at(data.id), ...named('late') }), { status: 404 })
  const log = await audited(stage, 'tag_created', 'tag_deleted')
  assert.deepEqual(
    log.map(({ event_key, actor_id, entity_type, entity_id, details }) => [
      event_key,
      actor_id,
      entity_type,
      entity_id,
      details,
    ]),
    [
      ['tag_created', admin.id, 'GroupTag', String(data.id), { name: 'Design Team' }],
      ['tag_deleted', admin.id, 'GroupTag', String(data.id), { name: 'design TEAM' }],
    ],
  )
})

test('a name is free, fit to be mentioned, and no word of the system', async (t) => {
  const { admin } = await world(t)
  const { data } = await admin.call(createGroupTag, named('Design'))
  const { data: other } = await admin.call(createGroupTag, named('Other'))
  const refused = (name: string, status: number, code: string) =>
    assert.rejects(admin.call(createGroupTag, named(name)), { status, code })
  await refused('dESIGN', 409, 'already_exists')
  await refused(' ', 422, 'blank')
  await refused('x'.repeat(256), 422, 'too_long')
  await refused('😀'.repeat(256), 422, 'too_long')
  await admin.call(createGroupTag, named('😀'.repeat(255)))
  await refused('a@b', 422, 'invalid')
  await refused('All', 422, 'use_of_system_words')
  await refused('here', 422, 'use_of_system_words')
  await refused('A ll', 422, 'use_of_system_words')
  const taken = admin.call(updateGroupTag, { ...at(other.id), ...named('DESIGN') })
  await assert.rejects(taken, { status: 409, code: 'already_exists' })
  await admin.call(updateGroupTag, { ...at(data.id), ...named('DESIGN') })
  await assert.rejects(admin.call(createGroupTag, { body: {} as never }), { status: 400, code: 'required' })
})

test('tags are listed oldest first, by name in any case, and page by page', async (t) => {
  const { admin, alice, as } = await world(t)
  const ids: number[] = []
  for (const name of ['Design', 'Sales, EU', 'Ärzte'])
    ids.push((await admin.call(createGroupTag, named(name))).data.id)
  const list = async (query: object = {}) =>
    (await alice.call(listGroupTags, { query })).data.map(({ id }) => id)
  assert.deepEqual(await list(), ids)
  assert.deepEqual(await list({ names: ['DESIGN', 'ärzte', 'nothing'] }), [ids[0], ids[2]])
  assert.deepEqual(await list({ names: ['sales, eu'] }), [ids[1]])
  assert.deepEqual(await list({ names: 'design,Ärzte' }), [ids[0], ids[2]])
  assert.deepEqual(await list({ per: 2, page: 2 }), [ids[2]])
  const first = await alice.call(listGroupTags, { query: { limit: 2 } })
  assert.deepEqual(await list({ cursor: first.meta.paginate.next_page }), [ids[2]])
  const many = Array.from({ length: 101 }, (_, index) => `tag ${index}`)
  await assert.rejects(list({ names: many }), { status: 400, code: 'too_long' })
  await assert.rejects(list({ names: many.join(',') }), { status: 400, code: 'too_long' })
  const blind = await as(alice.id, { scopes: ['chats:read'] })
  await assert.rejects(blind.call(listGroupTags), { status: 403, code: 'insufficient_scope' })
})

test('a tag counts its active people, and lists all but the deleted', async (t) => {
  const stage = await world(t)
  const { ctx, owner, admin, alice, bob, bot, mia } = stage
  const design = await tag(stage, 'Design', [alice, bob, admin, bot])
  const count = async () => (await alice.call(getGroupTag, at(design))).data.users_count
  const people = async () =>
    (await alice.call(listGroupTagUsers, at(design))).data.map(({ id, suspended }) => [id, suspended])
  assert.equal(await count(), 3)
  await admin.call(updateUser, { params: { id: bob.id }, body: { user: { suspended: true } } })
  assert.equal(await count(), 2)
  assert.deepEqual(await people(), [
    [admin.id, false],
    [alice.id, false],
    [bob.id, true],
    [bot.id, false],
  ])
  await admin.call(updateUser, { params: { id: bob.id }, body: { user: { suspended: false } } })
  assert.equal(await count(), 3)
  await retag(admin, alice, [])
  assert.equal(await count(), 2)
  await owner.call(deleteUser, { params: { id: bob.id } })
  assert.equal(await count(), 1)
  assert.deepEqual(
    (await people()).map(([id]) => id),
    [admin.id, bot.id],
  )
  await assert.rejects(mia.call(listGroupTagUsers, at(design)), { status: 403, code: 'not_authorized' })
  await assert.rejects(alice.call(listGroupTagUsers, at(9_999)), { status: 404 })
  const rows = await ctx.db.selectFrom('user_tags').select('user_id').where('tag_id', '=', design).execute()
  assert.equal(rows.length, 2)
})

test('a multi-guest sees the tags of the active chats he is in', async (t) => {
  const stage = await world(t)
  const { ctx, alice, mia, bob, office, news } = stage
  const design = await tag(stage, 'Design', [bob])
  const other = await tag(stage, 'Other', [bob])
  await bind(alice, office.id, design)
  await bind(alice, news.id, other)
  const list = async () => (await mia.call(listGroupTags)).data.map(({ id }) => id)
  assert.deepEqual(await list(), [design])
  assert.equal((await mia.call(getGroupTag, at(design))).data.id, design)
  await assert.rejects(mia.call(getGroupTag, at(other)), { status: 404 })
  await ctx.db.updateTable('chats').set({ archived_at: new Date() }).where('id', '=', office.id).execute()
  assert.deepEqual(await list(), [])
})

test('whoever gets a tag joins its chats, and leaves them with it', async (t) => {
  const stage = await world(t)
  const { admin, alice, bob, office, news, events } = stage
  const design = await tag(stage, 'Design', [])
  await bind(alice, office.id, design)
  await bind(alice, news.id, design)
  await retag(admin, admin, ['design'])
  assert.deepEqual([await isIn(stage, office.id, admin), await isIn(stage, news.id, admin)], [true, true])
  assert.equal((await rolesIn(stage, office.id))[admin.id], 'admin')
  // Bob is in the office by hand: the tag takes him along from the news alone.
  await retag(admin, bob, ['Design'])
  await retag(admin, bob, [])
  await retag(admin, admin, [])
  assert.deepEqual([await isIn(stage, office.id, admin), await isIn(stage, news.id, admin)], [false, false])
  assert.deepEqual([await isIn(stage, office.id, bob), await isIn(stage, news.id, bob)], [true, false])

  const moves = (await events()).filter(({ type }) => type.startsWith('chat_members.'))
  assert.deepEqual(
    moves.map(({ type, chat_id, payload }) => [type.split('.')[1], chat_id, payload.user_ids]),
    [
      ['added', office.id, [admin.id]],
      ['added', news.id, [admin.id]],
      ['added', news.id, [bob.id]],
      ['removed', news.id, [bob.id]],
      ['removed', office.id, [admin.id]],
      ['removed', news.id, [admin.id]],
    ],
  )
  const log = await audited(stage, 'user_added_to_tag', 'user_removed_from_tag')
  assert.deepEqual(
    log.map(({ event_key, actor_id, entity_id, details }) => [event_key, actor_id, entity_id, details]),
    [
      ['user_added_to_tag', admin.id, String(design), { initiator_id: admin.id }],
      ['user_added_to_tag', bob.id, String(design), { initiator_id: admin.id }],
      ['user_removed_from_tag', bob.id, String(design), { initiator_id: admin.id }],
      ['user_removed_from_tag', admin.id, String(design), { initiator_id: admin.id }],
    ],
  )
  assert.deepEqual(await lines(stage, office.id), ['Alice bound the tag "Design"'])
})

test('a chat that the old tag and the new one lead to is not left in between', async (t) => {
  const stage = await world(t)
  const { admin, alice, office, events } = stage
  const one = await tag(stage, 'One', [admin])
  const two = await tag(stage, 'Two', [])
  await bind(alice, office.id, one, two)
  await retag(admin, admin, ['Two'])
  assert.ok(await isIn(stage, office.id, admin))
  assert.ok(!(await events()).some(({ type }) => type === 'chat_members.removed'))
  await retag(admin, admin, [])
  assert.ok(!(await isIn(stage, office.id, admin)))
})

test('a new employee gets tags by name, made where they are missing, and their chats', async (t) => {
  const stage = await world(t)
  const { admin, alice, office } = stage
  const design = await tag(stage, 'Design', [])
  await bind(alice, office.id, design)
  const user = { email: 'new@example.org', list_tags: ['design', 'Fresh', 'FRESH'] }
  const { data } = await admin.call(createUser, { body: { user, skip_email_notify: true } })
  assert.deepEqual(data.list_tags, ['Design', 'Fresh'])
  assert.ok((await alice.call(getChat, at(office.id))).data.member_ids.includes(data.id))
  const [made] = await audited(stage, 'tag_created')
  assert.deepEqual(made?.details, { name: 'Fresh' })
})

test('a bot of one chat takes no tag', async (t) => {
  const { ctx, admin, bot } = await world(t)
  await ctx.db.updateTable('bots').set({ single_chat: true }).where('user_id', '=', bot.id).execute()
  await assert.rejects(retag(admin, bot, ['Design']), { status: 422, code: 'single_chat_bot_tag_denied' })
  const { data } = await admin.call(listGroupTags)
  assert.deepEqual(data, [])
})

test('people of a deleted tag stay as if added by hand, also before the work behind it is done', async (t) => {
  const stage = await world(t)
  const { ctx, admin, owner, alice, office, drain } = stage
  const design = await tag(stage, 'Design', [admin, owner])
  const other = await tag(stage, 'Other', [admin])
  await bind(alice, office.id, design, other)
  await admin.call(deleteGroupTag, at(design))
  assert.deepEqual((await alice.call(getChat, at(office.id))).data.group_tag_ids, [other])
  await alice.call(unbindChatTag, { params: { id: office.id, tag_id: other } })
  await drain()
  assert.deepEqual([await isIn(stage, office.id, admin), await isIn(stage, office.id, owner)], [true, true])
  const rows = await ctx.db
    .selectFrom('chat_members')
    .select(['manual', 'tag_ids'])
    .where('user_id', 'in', [admin.id, owner.id])
    .execute()
  assert.deepEqual(rows, [
    { manual: true, tag_ids: [] },
    { manual: true, tag_ids: [] },
  ])
  await alice.call(removeChatMember, { params: { id: office.id, user_id: owner.id } })
  assert.ok(!(await isIn(stage, office.id, owner)))
})
