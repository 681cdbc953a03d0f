import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addChatMembers,
  archiveChat,
  bindChatTags,
  getChat,
  leaveChat,
  listChats,
  removeChatMember,
  setChatMemberRole,
  unarchiveChat,
  unbindChatTag,
  updateChat,
} from '@parley/contract'
import { openPersonalChat } from '../chats/open-personal.js'
import { findChatFor } from '../chats/queries.js'
import { mayDeleteOthersMessages, mayPin, mayRead, mayStartThread, mayWrite } from '../chats/rules.js'
import { at, audited, lines, tag, thread } from '../chats/testing-stage.js'
import { transaction } from '../platform/db/transaction.js'
import { type Person, world } from '../testing/world.js'

const REFUSED = { status: 403, code: 'not_authorized' }

test('the archive, row by row of its table', async (t) => {
  const stage = await world(t)
  const { ctx, alice, bob, admin, owner, mia, bot, office, events, drain, person } = stage
  const guest = await person({ role: 'guest' })
  await alice.call(addChatMembers, { ...at(office.id), body: { member_ids: [guest.id], silent: true } })
  const design = await tag(stage, 'Design', [admin, owner])
  await alice.call(bindChatTags, { ...at(office.id), body: { group_tag_ids: [design] } })
  const inside = await thread(stage, office.id, bob)
  const personal = await transaction(ctx, (tx) => openPersonalChat(tx, ctx, alice.id, bob.id))
  const listed = async (someone: Person, query: object = {}) =>
    (await someone.call(listChats, { query })).data.some(({ id }) => id === office.id)
  const before = (await events()).length

  // 204; only conversations and channels; creator or admin
  for (const someone of [bob, mia, bot])
    await assert.rejects(someone.call(archiveChat, at(office.id)), REFUSED)
  for (const id of [personal, inside.id]) await assert.rejects(alice.call(archiveChat, at(id)), REFUSED)
  await assert.rejects(alice.call(archiveChat, at(9_999)), { status: 404, code: 'not_found' })
  assert.equal((await admin.send(archiveChat, at(office.id))).status, 204)

  // Disappears from members' lists at once, and stays away when the work behind it is done
  for (const settled of [false, true]) {
    if (settled) await drain()
    assert.deepEqual([await listed(bob), await listed(bob, { sort: 'last_message_at' })], [false, false])
    assert.deepEqual(
      [await listed(bob, { archived: true }), await listed(bob, { archived: true, sort: 'last_message_at' })],
      [true, true],
    )
  }

  // History kept; readable; reactions go with reading
  const { data } = await bob.call(getChat, at(office.id))
  assert.equal(data.archived, true)
  const chat = await findChatFor(ctx.db, { user_id: alice.id }, office.id)
  assert.ok(chat && mayRead({ role: 'user' }, chat).allowed)

  // New messages, member changes, settings, pins, deletes, new threads refused for everyone
  for (const rule of [mayWrite, mayPin, mayStartThread]) assert.ok(!rule({ role: 'user' }, chat).allowed)
  assert.ok(!mayDeleteOthersMessages(chat).allowed)
  const role = { body: { role: 'admin' as const } }
  const one = { params: { id: office.id, user_id: bob.id } }
  await assert.rejects(
    alice.call(addChatMembers, { ...at(office.id), body: { member_ids: [bob.id] } }),
    REFUSED,
  )
  await assert.rejects(alice.call(removeChatMember, one), REFUSED)
  await assert.rejects(alice.call(setChatMemberRole, { ...one, ...role }), REFUSED)
  await assert.rejects(alice.call(updateChat, { ...at(office.id), body: { chat: { name: 'x' } } }), REFUSED)
  await assert.rejects(
    alice.call(bindChatTags, { ...at(office.id), body: { group_tag_ids: [design] } }),
    REFUSED,
  )
  await assert.rejects(alice.call(unbindChatTag, { params: { id: office.id, tag_id: design } }), REFUSED)

  // Guests of both kinds removed
  assert.ok(!data.member_ids.includes(guest.id))
  assert.ok(!data.member_ids.includes(mia.id))
  const told = (await events()).slice(before)
  assert.deepEqual(
    told.filter(({ type }) => type !== 'message.system').map(({ type, payload }) => [type, payload.user_ids]),
    [
      ['chat.archived', undefined],
      ['chat_members.removed', [mia.id, guest.id]],
    ],
  )

  // Tags unbound; tag-delivered people become manual members
  assert.deepEqual(data.group_tag_ids, [])
  assert.ok(data.member_ids.includes(admin.id) && data.member_ids.includes(owner.id))
  const held = await ctx.db
    .selectFrom('chat_members')
    .select(['manual', 'tag_ids'])
    .where('chat_id', '=', office.id)
    .where('user_id', '=', owner.id)
    .executeTakeFirst()
  assert.deepEqual(held, { manual: true, tag_ids: [] })
  assert.equal((await audited(stage, 'tag_removed_from_chat')).length, 1)

  // Threads already in the chat stay open and writable
  const open = await findChatFor(ctx.db, { user_id: bob.id }, inside.id)
  assert.ok(open && mayWrite({ role: 'user' }, open).allowed)
  await bob.call(addChatMembers, { ...at(inside.id), body: { member_ids: [admin.id] } })

  // Archiving again
  await assert.rejects(alice.call(archiveChat, at(office.id)), REFUSED)

  // Leaving is allowed
  await owner.call(leaveChat, at(office.id))

  // Unarchive restores neither guests nor tags, and an active chat stays as it is
  await assert.rejects(bob.call(unarchiveChat, at(office.id)), REFUSED)
  assert.equal((await alice.send(unarchiveChat, at(office.id))).status, 204)
  const back = (await alice.call(getChat, at(office.id))).data
  assert.deepEqual(
    [back.archived, back.group_tag_ids, back.member_ids.includes(guest.id)],
    [false, [], false],
  )
  assert.deepEqual([await listed(bob), await listed(bob, { sort: 'last_message_at' })], [true, true])
  const count = (await events()).length
  assert.equal((await alice.send(unarchiveChat, at(office.id))).status, 204)
  assert.equal((await events()).length, count)
  await assert.rejects(alice.call(unarchiveChat, at(personal)), REFUSED)

  // Archive and unarchive write a system message
  assert.deepEqual(await lines(stage, office.id), [
    'Alice bound the tag "Design"',
    'Admin archived the chat',
    'Owner left the chat',
    'Alice brought the chat back from the archive',
  ])
})

test('a chat that came back before everybody’s list was sorted stays in the lists', async (t) => {
  const { alice, bob, office, drain } = await world(t)
  await alice.call(archiveChat, at(office.id))
  await alice.call(unarchiveChat, at(office.id))
  await drain()
  const { data } = await bob.call(listChats)
  assert.ok(data.some(({ id }) => id === office.id))
})
