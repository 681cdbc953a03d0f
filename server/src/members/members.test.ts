import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addChatMembers,
  archiveChat,
  bindChatTags,
  getChat,
  leaveChat,
  listChatMembers,
  removeChatMember,
  setChatMemberRole,
  unbindChatTag,
} from '@parley/contract'
import { openPersonalChat } from '../chats/open-personal.js'
import { audited, lines, rolesIn, tag, thread } from '../chats/testing-stage.js'
import { transaction } from '../platform/db/transaction.js'
import { type Person, type World, world } from '../testing/world.js'

const at = (id: number) => ({ params: { id } })
const adding = (id: number, people: readonly (Person | number)[], more: object = {}) => ({
  params: { id },
  body: { member_ids: people.map((one) => (typeof one === 'number' ? one : one.id)), ...more },
})
const member = (id: number, { id: user_id }: Person) => ({ params: { id, user_id } })

async function membersOf(someone: Person, id: number): Promise<number[]> {
  const { data } = await someone.call(getChat, at(id))
  return data.member_ids
}

async function moves({ events }: World) {
  const all = await events()
  return all
    .filter(({ type }) => type.startsWith('chat_members.'))
    .map(({ type, chat_id, payload }) => [type, chat_id, payload.user_ids])
}

async function personalOf({ ctx }: World, a: Person, b: Person): Promise<number> {
  return transaction(ctx, (tx) => openPersonalChat(tx, ctx, a.id, b.id))
}

test('people and bots are added together, told in one event, and greeted in the feed', async (t) => {
  const stage = await world(t)
  const { ctx, alice, admin, owner, office, person } = stage
  const carol = await person({ nickname: 'carol' })
  await alice.call(addChatMembers, adding(office.id, [carol, admin, owner, alice]))

  const ids = [owner.id, admin.id, carol.id]
  assert.deepEqual(await moves(stage), [['chat_members.added', office.id, ids]])
  assert.deepEqual(await lines(stage, office.id), ['Alice added Owner, Admin, Carol'])
  const roles = await rolesIn(stage, office.id)
  assert.deepEqual([roles[carol.id], roles[admin.id], roles[owner.id]], ['member', 'admin', 'admin'])
  const log = await audited(stage, 'user_chat_join')
  assert.deepEqual(
    log.map(({ actor_id, entity_type, entity_id, details }) => [actor_id, entity_type, entity_id, details]),
    ids.map((id) => [id, 'Chat', String(office.id), { inviter_id: alice.id }]),
  )
  const sources = await ctx.db
    .selectFrom('chat_members')
    .select(['manual', 'tag_ids'])
    .where('user_id', '=', carol.id)
    .execute()
  assert.deepEqual(sources, [{ manual: true, tag_ids: [] }])
})

test('silent adding writes no line, and adding members again tells nobody', async (t) => {
  const stage = await world(t)
  const { alice, bob, admin, office } = stage
  await alice.call(addChatMembers, adding(office.id, [admin], { silent: true }))
  await alice.call(addChatMembers, adding(office.id, [admin, bob]))
  assert.deepEqual(await lines(stage, office.id), [])
  assert.equal((await moves(stage)).length, 1)
})

test('one who cannot be added keeps everybody out, and all reasons are told', async (t) => {
  const stage = await world(t)
  const { ctx, alice, bob, admin, bot, news, person } = stage
  const idle = await person({ suspended: true })
  const unknown = alice.call(addChatMembers, adding(news.id, [admin, 9_999, idle, 9_000_000_000_000]))
  await assert.rejects(unknown, ({ status, code, errors }) => {
    assert.deepEqual([status, code, errors.length], [404, 'not_found', 1])
    assert.equal(errors[0].value, `9999, ${idle.id}, 9000000000000`)
    return true
  })
  const denied = bob.call(addChatMembers, adding(news.id, [admin, bot]))
  await assert.rejects(denied, { status: 403, code: 'bot_add_denied' })
  const both = bob.call(addChatMembers, adding(news.id, [bot, 9_999]))
  await assert.rejects(both, ({ status, errors }) => {
    assert.deepEqual(
      [status, ...errors.map(({ code }: { code: string }) => code)],
      [404, 'not_found', 'bot_add_denied'],
    )
    return true
  })
  await ctx.db.updateTable('bots').set({ single_chat: true }).where('user_id', '=', bot.id).execute()
  const occupied = alice.call(addChatMembers, adding(news.id, [admin, bot]))
  await assert.rejects(occupied, { status: 409, code: 'single_chat_bot_occupied' })
  const own = await thread(stage, null, alice)
  await alice.call(addChatMembers, adding(own.id, [bot]))
  await assert.rejects(alice.call(addChatMembers, adding(news.id, [])), { status: 422, code: 'blank' })
  const missing = alice.call(addChatMembers, { ...at(news.id), body: {} as never })
  await assert.rejects(missing, { status: 422, code: 'blank' })
  const many = Array.from({ length: 1001 }, (_, index) => index + 1)
  await assert.rejects(alice.call(addChatMembers, adding(news.id, many)), { status: 422, code: 'too_long' })
  assert.deepEqual(await membersOf(alice, news.id), [alice.id])
})

test('an archived chat of a bot of one chat does not count', async (t) => {
  const { ctx, alice, bot, office, news } = await world(t)
  await ctx.db.updateTable('bots').set({ single_chat: true }).where('user_id', '=', bot.id).execute()
  await alice.call(archiveChat, at(office.id))
  await alice.call(addChatMembers, adding(news.id, [bot]))
  assert.deepEqual(await membersOf(alice, news.id), [alice.id, bot.id])
})

test('members add to a closed chat, every employee to an open one and also himself, guests never', async (t) => {
  const stage = await world(t)
  const { alice, bob, admin, owner, mia, bot, office, news, attic } = stage
  await assert.rejects(admin.call(addChatMembers, adding(office.id, [admin])), { status: 403 })
  await bot.call(addChatMembers, adding(office.id, [owner]))
  await bob.call(addChatMembers, adding(news.id, [bob]))
  assert.deepEqual(await lines(stage, news.id), ['Bob joined the chat'])
  for (const id of [office.id, news.id])
    await assert.rejects(mia.call(addChatMembers, adding(id, [admin])), {
      status: 403,
      code: 'not_authorized',
    })
  await assert.rejects(alice.call(addChatMembers, adding(attic.id, [admin])), { status: 403 })
  await assert.rejects(alice.call(addChatMembers, adding(9_999, [admin])), { status: 404 })
  const personal = await personalOf(stage, alice, bob)
  await assert.rejects(alice.call(addChatMembers, adding(personal, [admin])), {
    status: 422,
    code: 'personal_chat',
  })
  await assert.rejects(owner.call(addChatMembers, adding(personal, [admin])), { status: 403 })
})

test('a guest has one chat, and the threads in it', async (t) => {
  const stage = await world(t)
  const { alice, office, news, person } = stage
  const guest = await person({ role: 'guest' })
  await alice.call(addChatMembers, adding(office.id, [guest]))
  await alice.call(addChatMembers, adding(office.id, [guest]))
  await assert.rejects(alice.call(addChatMembers, adding(news.id, [guest])), {
    status: 422,
    code: 'displayed_error',
  })
  const inside = await thread(stage, office.id, alice)
  const outside = await thread(stage, news.id, alice)
  await alice.call(addChatMembers, adding(inside.id, [guest]))
  await assert.rejects(alice.call(addChatMembers, adding(outside.id, [guest])), { status: 422 })
})

test('anyone can be added to a thread, and everybody is a plain member there', async (t) => {
  const stage = await world(t)
  const { alice, bob, admin, office } = stage
  const { id, thread_id } = await thread(stage, office.id, bob)
  await alice.call(addChatMembers, adding(id, [admin]))
  assert.deepEqual((await rolesIn(stage, id))[admin.id], 'member')
  const [told] = (await stage.events()).filter(({ type }) => type === 'chat_members.added')
  assert.deepEqual(
    [told?.payload.chat_id, told?.payload.root_chat_id, told?.payload.thread_id],
    [id, office.id, thread_id],
  )
  await assert.rejects(admin.call(removeChatMember, member(id, admin)), { status: 403 })
  await assert.rejects(alice.call(removeChatMember, member(id, bob)), {
    status: 403,
    code: 'cannot_kick_owner',
  })
  await alice.call(removeChatMember, member(id, admin))
  await bob.call(leaveChat, at(id))
  assert.deepEqual(await lines(stage, id), ['Alice added Admin'])
})

test('the roster is read by members, in open chats by employees, and everywhere by the owner', async (t) => {
  const { ctx, alice, bob, admin, owner, mia, bot, office, news } = await world(t)
  const ids = async (someone: Person, id: number, query: object = {}) =>
    (await someone.call(listChatMembers, { ...at(id), query })).data.map((user) => user.id)
  const everybody = [alice.id, bob.id, mia.id, bot.id]
  assert.deepEqual(await ids(bob, office.id), everybody)
  assert.deepEqual(await ids(owner, office.id), everybody)
  assert.deepEqual(await ids(bob, office.id, { role: 'owner' }), [alice.id])
  assert.deepEqual(await ids(bob, office.id, { role: 'member' }), [bob.id, mia.id, bot.id])
  assert.deepEqual(await ids(bob, office.id, { role: 'admin' }), [])
  assert.deepEqual(await ids(admin, news.id), [alice.id])
  await assert.rejects(ids(admin, office.id), { status: 403, code: 'not_authorized' })
  await assert.rejects(ids(mia, news.id), { status: 403 })
  await assert.rejects(ids(bob, 9_999), { status: 404 })
  await assert.rejects(ids(bob, office.id, { role: 'boss' }), { status: 400, code: 'in' })
  const first = await bob.call(listChatMembers, { ...at(office.id), query: { limit: 3 } })
  assert.deepEqual([first.meta.paginate.has_next, first.meta.paginate.has_prev], [true, false])
  const cursor = first.meta.paginate.next_page
  assert.deepEqual(await ids(bob, office.id, { cursor }), [bot.id])
  await ctx.db.updateTable('users').set({ suspended: true }).where('id', '=', mia.id).execute()
  assert.deepEqual(await ids(bob, office.id), [alice.id, bob.id, bot.id])
})

test('roles change by the table, and each refusal has its own code', async (t) => {
  const stage = await world(t)
  const { alice, bob, admin, mia, bot, office, news, attic } = stage
  await alice.call(addChatMembers, adding(news.id, [bob, bot]))
  const set = (someone: Person, id: number, whom: Person, role: string) =>
    someone.call(setChatMemberRole, { ...member(id, whom), body: { role: role as 'admin' } })

  await set(alice, office.id, bob, 'admin')
  await assert.rejects(set(alice, office.id, bob, 'admin'), { status: 422, code: 'already_assigned' })
  await assert.rejects(set(bob, office.id, bob, 'member'), { status: 422, code: 'self_update' })
  await assert.rejects(set(bob, office.id, alice, 'member'), { status: 422, code: 'owner_protected' })
  await assert.rejects(set(bob, office.id, admin, 'member'), { status: 404, code: 'not_found' })
  await assert.rejects(set(bob, office.id, mia, 'editor'), { status: 422, code: 'not_applicable' })
  await assert.rejects(set(bob, office.id, mia, 'boss'), { status: 400, code: 'inclusion' })
  const missing = bob.call(setChatMemberRole, { ...member(office.id, mia), body: {} as never })
  await assert.rejects(missing, { status: 422, code: 'blank' })
  await set(alice, news.id, bob, 'editor')
  await set(alice, news.id, bot, 'member')
  await assert.rejects(set(mia, office.id, bob, 'member'), { status: 403, code: 'not_authorized' })
  await assert.rejects(set(bob, news.id, bot, 'admin'), { status: 403 })
  await assert.rejects(set(alice, attic.id, bob, 'admin'), { status: 403 })
  const own = await thread(stage, office.id, alice)
  await alice.call(addChatMembers, adding(own.id, [bob]))
  await assert.rejects(set(alice, own.id, bob, 'admin'), { status: 403 })
  const personal = await personalOf(stage, alice, bob)
  await assert.rejects(set(alice, personal, bob, 'member'), { status: 403 })
  assert.equal((await rolesIn(stage, office.id))[bob.id], 'admin')
})

test('a member is removed by those who manage the chat, and the feed of a closed conversation says so', async (t) => {
  const stage = await world(t)
  const { alice, bob, mia, bot, admin, office, news, attic } = stage
  await assert.rejects(bob.call(removeChatMember, member(office.id, mia)), { status: 403 })
  await assert.rejects(alice.call(removeChatMember, member(office.id, alice)), {
    status: 403,
    code: 'cannot_kick_owner',
  })
  await assert.rejects(alice.call(removeChatMember, member(office.id, admin)), { status: 404 })
  await assert.rejects(alice.call(removeChatMember, member(attic.id, bob)), { status: 403 })
  await alice.call(removeChatMember, member(office.id, mia))
  await alice.call(addChatMembers, adding(news.id, [bot], { silent: true }))
  await alice.call(removeChatMember, member(news.id, bot))

  assert.deepEqual(await lines(stage, office.id), ['Alice removed Mia'])
  assert.deepEqual(await lines(stage, news.id), [])
  assert.deepEqual((await moves(stage))[0], ['chat_members.removed', office.id, [mia.id]])
  const [left] = await audited(stage, 'user_chat_leave')
  assert.deepEqual(
    [left?.actor_id, left?.entity_id, left?.details],
    [mia.id, String(office.id), { initiator_id: alice.id }],
  )
  await assert.rejects(mia.call(getChat, at(office.id)), { status: 403 })
})

test('whoever leaves is gone, the creator too, and only a closed conversation says so', async (t) => {
  const stage = await world(t)
  const { alice, bob, mia, admin, office, attic, news } = stage
  await alice.call(leaveChat, at(office.id))
  await bob.call(leaveChat, at(attic.id))
  await alice.call(leaveChat, at(news.id))
  assert.deepEqual(await lines(stage, office.id), ['Alice left the chat'])
  assert.deepEqual(await lines(stage, news.id), [])
  assert.equal((await bob.call(getChat, at(office.id))).data.owner_id, alice.id)
  const [left] = await audited(stage, 'user_chat_leave')
  assert.deepEqual([left?.actor_id, left?.details], [alice.id, { initiator_id: alice.id }])
  await assert.rejects(alice.call(leaveChat, at(office.id)), { status: 404 })
  await assert.rejects(admin.call(leaveChat, at(9_999)), { status: 404 })
  await assert.rejects(mia.call(leaveChat, at(office.id)), { status: 403 })
  const personal = await personalOf(stage, alice, bob)
  await assert.rejects(bob.call(leaveChat, at(personal)), { status: 422, code: 'personal_chat' })
  await bob.call(addChatMembers, adding(office.id, [alice]))
  assert.equal((await rolesIn(stage, office.id))[alice.id], 'owner')
})

test('a bound tag brings its people at once, and one line names it', async (t) => {
  const stage = await world(t)
  const { alice, bob, admin, owner, office, events } = stage
  const design = await tag(stage, 'Design', [bob, admin, owner])
  await bob.call(bindChatTags, { ...at(office.id), body: { group_tag_ids: [design, design] } })

  assert.deepEqual((await alice.call(getChat, at(office.id))).data.group_tag_ids, [design])
  assert.deepEqual(await moves(stage), [['chat_members.added', office.id, [owner.id, admin.id]]])
  assert.deepEqual(await lines(stage, office.id), ['Bob bound the tag "Design"'])
  const roles = await rolesIn(stage, office.id)
  assert.deepEqual([roles[admin.id], roles[owner.id], roles[bob.id]], ['admin', 'admin', 'member'])
  const [bound] = await audited(stage, 'tag_added_to_chat')
  assert.deepEqual(
    [bound?.entity_type, bound?.entity_id, bound?.details],
    ['GroupTag', String(design), { chat_id: office.id, tag_name: 'Design' }],
  )
  assert.ok((await events()).some(({ type }) => type === 'chat.updated'))
})

test('a tag that is bound already loads its people again without a second line', async (t) => {
  const stage = await world(t)
  const { ctx, alice, admin, office } = stage
  const design = await tag(stage, 'Design', [admin])
  const bind = () => alice.call(bindChatTags, { ...at(office.id), body: { group_tag_ids: [design] } })
  await bind()
  await ctx.db.deleteFrom('chat_members').where('user_id', '=', admin.id).execute()
  await bind()
  assert.ok((await membersOf(alice, office.id)).includes(admin.id))
  assert.equal((await lines(stage, office.id)).length, 1)
})

test('binding is refused where it does not belong, and one missing tag binds none', async (t) => {
  const stage = await world(t)
  const { alice, bob, admin, mia, office, news, attic } = stage
  const design = await tag(stage, 'Design', [admin])
  const bind = (someone: Person, id: number, ids = [design]) =>
    someone.call(bindChatTags, { ...at(id), body: { group_tag_ids: ids } })
  await assert.rejects(bind(alice, office.id, [design, 9_999]), ({ status, code, errors }) => {
    assert.deepEqual([status, code, errors[0].value], [404, 'not_found', '9999'])
    return true
  })
  assert.deepEqual((await alice.call(getChat, at(office.id))).data.group_tag_ids, [])
  await assert.rejects(bind(admin, office.id), { status: 403 })
  await assert.rejects(bind(mia, office.id), { status: 403 })
  await assert.rejects(bind(alice, attic.id), { status: 403 })
  await assert.rejects(bind(alice, office.id, []), { status: 422, code: 'blank' })
  await assert.rejects(bind(alice, 9_999), { status: 404 })
  const own = await thread(stage, office.id, alice)
  await assert.rejects(bind(alice, own.id), { status: 403 })
  const personal = await personalOf(stage, alice, bob)
  await assert.rejects(bind(alice, personal), { status: 422, code: 'personal_chat' })
  await bind(bob, news.id)
})

test('an unbound tag takes its people along, but not the creator, those of another tag, or those added by hand', async (t) => {
  const stage = await world(t)
  const { alice, bob, admin, owner, office, drain, person } = stage
  const carol = await person({ nickname: 'carol' })
  const dave = await person({ nickname: 'dave' })
  const design = await tag(stage, 'Design', [alice, bob, admin, owner, carol, dave])
  const other = await tag(stage, 'Other', [admin])
  await alice.call(bindChatTags, { ...at(office.id), body: { group_tag_ids: [design, other] } })
  // Added by hand while the tag holds her as well.
  await alice.call(addChatMembers, adding(office.id, [carol]))
  await assert.rejects(bob.call(unbindChatTag, { params: { id: office.id, tag_id: design } }), {
    status: 403,
  })
  await alice.call(unbindChatTag, { params: { id: office.id, tag_id: design } })
  await assert.rejects(alice.call(unbindChatTag, { params: { id: office.id, tag_id: design } }), {
    status: 404,
  })
  assert.deepEqual((await alice.call(getChat, at(office.id))).data.group_tag_ids, [other])
  await drain()

  const left = await membersOf(alice, office.id)
  assert.deepEqual(
    [alice, bob, admin, owner, carol, dave].map(({ id }) => left.includes(id)),
    [true, true, true, false, true, false],
  )
  assert.deepEqual((await moves(stage)).at(-1), ['chat_members.removed', office.id, [owner.id, dave.id]])
  const log = await audited(stage, 'user_chat_leave', 'tag_removed_from_chat')
  assert.deepEqual(
    log.map(({ event_key, actor_id, details }) => [event_key, actor_id, details]),
    [
      ['tag_removed_from_chat', alice.id, { chat_id: office.id }],
      ['user_chat_leave', owner.id, { initiator_id: alice.id }],
      ['user_chat_leave', dave.id, { initiator_id: alice.id }],
    ],
  )
  assert.deepEqual((await lines(stage, office.id)).slice(-1), ['Alice unbound the tag "Design"'])
})

test('a tag bound again before its people left keeps them', async (t) => {
  const stage = await world(t)
  const { alice, admin, office, drain } = stage
  const design = await tag(stage, 'Design', [admin])
  const binding = { ...at(office.id), body: { group_tag_ids: [design] } }
  await alice.call(bindChatTags, binding)
  await alice.call(unbindChatTag, { params: { id: office.id, tag_id: design } })
  await alice.call(bindChatTags, binding)
  await drain()
  assert.ok((await membersOf(alice, office.id)).includes(admin.id))
})

test('whom a tag holds cannot leave and is not removed, until the tag is gone', async (t) => {
  const stage = await world(t)
  const { alice, bob, admin, office, drain } = stage
  const design = await tag(stage, 'Design', [admin, bob])
  await alice.call(bindChatTags, { ...at(office.id), body: { group_tag_ids: [design] } })
  await assert.rejects(admin.call(leaveChat, at(office.id)), { status: 403, code: 'not_authorized' })
  await alice.call(removeChatMember, member(office.id, admin))
  await alice.call(removeChatMember, member(office.id, bob))
  assert.ok((await membersOf(alice, office.id)).includes(bob.id))
  await alice.call(unbindChatTag, { params: { id: office.id, tag_id: design } })
  await admin.call(leaveChat, at(office.id))
  await drain()
  assert.ok(!(await membersOf(alice, office.id)).includes(bob.id))
})
