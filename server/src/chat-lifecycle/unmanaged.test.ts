import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  archiveChat,
  createChat,
  leaveChat,
  listMessages,
  setChatMemberRole,
  unarchiveChat,
  updateChat,
} from '@parley/contract'
import { type Person, world } from '../testing/world.js'

const at = (id: number) => ({ params: { id } })
const REFUSED = { status: 403, code: 'not_authorized' }
const rename = (someone: Person, id: number, name = 'other') =>
  someone.call(updateChat, { ...at(id), body: { chat: { name } } })

test('a chat without its creator and without admins is looked after by admins of the workspace, unread', async (t) => {
  const { admin, alice, bob, owner, person } = await world(t)
  const carol = await person({})
  const { data: chat } = await alice.call(createChat, {
    body: { chat: { name: 'ours', member_ids: [bob.id, carol.id] } },
  })
  await assert.rejects(rename(admin, chat.id), REFUSED)
  await assert.rejects(admin.call(archiveChat, at(chat.id)), REFUSED)
  await alice.call(leaveChat, at(chat.id))

  assert.equal((await rename(admin, chat.id)).data.name, 'other')
  await assert.rejects(admin.call(updateChat, { ...at(chat.id), body: { chat: { public: true } } }), REFUSED)
  await assert.rejects(admin.call(listMessages, { query: { chat_id: chat.id } }), REFUSED)
  await assert.rejects(rename(carol, chat.id), REFUSED)
  await owner.call(archiveChat, at(chat.id))
  await assert.rejects(owner.call(archiveChat, at(chat.id)), REFUSED)
  await owner.call(unarchiveChat, at(chat.id))

  const role = (someone: Person) =>
    someone.call(setChatMemberRole, { params: { id: chat.id, user_id: bob.id }, body: { role: 'admin' } })
  await assert.rejects(role(carol), REFUSED)
  await role(admin)
  await rename(bob, chat.id, 'managed')
  await assert.rejects(rename(admin, chat.id), REFUSED)
})

test('a chat that nobody is in any more can be archived', async (t) => {
  const { admin, alice } = await world(t)
  const { data: chat } = await alice.call(createChat, { body: { chat: { name: 'left' } } })
  await alice.call(leaveChat, at(chat.id))
  assert.equal((await admin.send(archiveChat, at(chat.id))).status, 204)
})
