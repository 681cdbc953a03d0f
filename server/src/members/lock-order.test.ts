import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addReaction,
  createMessage,
  createThread,
  deleteUser,
  followThread,
  getUser,
  leaveChat,
  removeChatMember,
  updateUser,
} from '@parley/contract'
import { tag } from '../chats/testing-stage.js'
import { beginBeside, untilBlocked } from '../testing/locks.js'
import { type Person, world } from '../testing/world.js'
import { add, at, bind, findMember, newChat, retag } from './testing-races.js'

const JOIN = 'insert into chat_members (chat_id, user_id, role, joined_at) values ($1, $2, $$member$$, now())'

test('a suspension waits for who adds people, and they do not wait for it', async (t) => {
  const w = await world(t)
  const { alice, admin, person } = w
  const [member, newcomer] = [await person({}), await person({})]
  const [one, two] = [await newChat(alice), await newChat(alice)]
  await add(alice, one, member)
  const adding = await beginBeside(t, w)
  await adding.query(JOIN, [one, newcomer.id])
  const suspension = admin.call(updateUser, { ...at(member.id), body: { user: { suspended: true } } })
  await untilBlocked(w)
  await adding.query(JOIN, [two, member.id])
  await adding.query('commit')
  await suspension
})

test('a comment of a newcomer waits for who adds people to the thread, and they do not wait for it', async (t) => {
  const w = await world(t)
  const { alice, bob, office } = w
  const message = { entity_id: office.id, content: 'first' }
  const { data: first } = await alice.call(createMessage, { body: { message } })
  const { data: thread } = await alice.call(createThread, at(first.id))
  const adding = await beginBeside(t, w)
  await adding.query('select from chat_rosters where chat_id = $1 for no key update', [thread.chat_id])
  const comment = { entity_type: 'thread' as const, entity_id: thread.id, content: 'second' }
  const commenting = bob.call(createMessage, { body: { message: comment } })
  await untilBlocked(w)
  await adding.query('update chats set version = version + 1 where id = $1', [thread.chat_id])
  await adding.query('commit')
  await commenting
})

test('who adds somebody to a thread waits for a comment that calls them, which does not wait for it', async (t) => {
  const w = await world(t)
  const { alice, office, person } = w
  const message = { entity_id: office.id, content: 'first' }
  const { data: first } = await alice.call(createMessage, { body: { message } })
  const { data: thread } = await alice.call(createThread, at(first.id))
  const newcomer = await person({})
  const commenting = await beginBeside(t, w)
  await commenting.query('select from chat_rosters where chat_id = $1 for no key update', [thread.chat_id])
  const adding = add(alice, thread.chat_id, newcomer)
  await untilBlocked(w)
  await commenting.query(JOIN, [thread.chat_id, newcomer.id])
  await commenting.query('commit')
  await adding
})

test('who joins a thread by a reaction, or follows it, waits for who adds them, who does not wait for them', async (t) => {
  const w = await world(t)
  const { alice, bob, office } = w
  const message = { entity_id: office.id, content: 'first' }
  const { data: first } = await alice.call(createMessage, { body: { message } })
  const { data: thread } = await alice.call(createThread, at(first.id))
  const joins = [
    () => bob.call(addReaction, { ...at(first.id), body: { code: '👍' } }),
    () => bob.call(followThread, { ...at(thread.id), body: { following: true } }),
  ]
  for (const join of joins) {
    const adding = await beginBeside(t, w)
    await adding.query('select from chat_rosters where chat_id = $1 for no key update', [thread.chat_id])
    const joining = join()
    await untilBlocked(w)
    await adding.query(JOIN, [thread.chat_id, bob.id])
    await adding.query('commit')
    await joining
    await bob.call(followThread, { ...at(thread.id), body: { following: false } })
  }
})

test('who reacts above a thread waits for a change of the members, which does not wait for their message', async (t) => {
  const w = await world(t)
  const { alice, bob, office } = w
  const message = { entity_id: office.id, content: 'first' }
  const { data: first } = await alice.call(createMessage, { body: { message } })
  await alice.call(createThread, at(first.id))
  const changing = await beginBeside(t, w)
  await changing.query(`select pg_advisory_xact_lock(hashtextextended('chat:' || $1::text, 0))`, [office.id])
  const reacting = bob.call(addReaction, { ...at(first.id), body: { code: '👍' } })
  await untilBlocked(w)
  await changing.query('select from messages where id = $1 for no key update', [first.id])
  await changing.query('commit')
  await reacting
})

test('a tag that is deleted while it is given to somebody is made again', async (t) => {
  const w = await world(t)
  const { admin, person } = w
  const somebody = await person({})
  const id = await tag(w, 'Fleeting', [])
  const deleting = await beginBeside(t, w)
  await deleting.query('delete from group_tags where id = $1', [id])
  const giving = retag(admin, somebody, ['Fleeting'])
  await untilBlocked(w)
  await deleting.query('commit')
  await giving
  const { data } = await admin.call(getUser, at(somebody.id))
  assert.deepEqual(data.list_tags, ['Fleeting'])
})

test('a change of tags, or the end of a person, locks the counts of all their chats in one order', async (t) => {
  const w = await world(t)
  const { admin, alice, person } = w
  const [before, after] = [await tag(w, 'Before', []), await tag(w, 'After', [])]
  const retagged = async (one: Person, low: number, high: number) => {
    await bind(alice, low, before)
    await bind(alice, high, after)
    return () => retag(admin, one, ['After'])
  }
  const deleted = async (one: Person, low: number, high: number) => {
    await add(alice, low, one)
    await bind(alice, high, before)
    return () => admin.call(deleteUser, at(one.id))
  }
  for (const prepare of [retagged, deleted]) {
    const [low, high] = [await newChat(alice), await newChat(alice)]
    const one = await person({})
    await retag(admin, one, ['Before'])
    const move = await prepare(one, low, high)
    const other = await beginBeside(t, w)
    await other.query('select from chat_rosters where chat_id = $1 for no key update', [low])
    const moving = move()
    await untilBlocked(w)
    await other.query('select from chat_rosters where chat_id = $1 for no key update', [high])
    await other.query('commit')
    await moving
  }
})

const MARK_READ = 'update chat_members set read_number = read_number where chat_id = $1 and user_id = $2'

test('whoever goes, or is held by a tag, waits for their own message, which does not wait for them', async (t) => {
  const w = await world(t)
  const { alice, bob } = w
  const design = await tag(w, 'Design', [bob])
  const moves = [
    (id: number) => alice.call(removeChatMember, { params: { id, user_id: bob.id } }),
    (id: number) => bob.call(leaveChat, at(id)),
    (id: number) => bind(alice, id, design),
  ]
  for (const move of moves) {
    const id = await newChat(alice, { member_ids: [bob.id] })
    const writing = await beginBeside(t, w)
    await writing.query('select from chats where id = $1 for no key update', [id])
    const moving = move(id)
    await untilBlocked(w)
    await writing.query(MARK_READ, [id, bob.id])
    await writing.query('commit')
    await moving
  }
})

test('who adds by hand whom a tag holds waits for their message, which does not wait for them', async (t) => {
  const w = await world(t)
  const { alice, bob, person } = w
  const id = await newChat(alice, { group_tag_ids: [await tag(w, 'Design', [bob])] })
  const writing = await beginBeside(t, w)
  await writing.query('select from chats where id = $1 for no key update', [id])
  const adding = add(alice, id, bob, await person({}))
  await untilBlocked(w)
  await writing.query(MARK_READ, [id, bob.id])
  await writing.query('commit')
  await adding
  assert.equal((await findMember(w, id, bob))?.manual, true)
})

test('whoever stops following a thread, or loses it with its chat, waits for their own comment', async (t) => {
  const w = await world(t)
  const { alice, bob } = w
  const moves = [
    (_chatId: number, id: number) => bob.call(followThread, { ...at(id), body: { following: false } }),
    (id: number) => alice.call(removeChatMember, { params: { id, user_id: bob.id } }),
  ]
  for (const move of moves) {
    const id = await newChat(alice, { member_ids: [bob.id] })
    const message = { entity_id: id, content: 'first' }
    const { data: first } = await bob.call(createMessage, { body: { message } })
    const { data: thread } = await bob.call(createThread, at(first.id))
    const writing = await beginBeside(t, w)
    await writing.query('select from chat_rosters where chat_id = $1 for no key update', [thread.chat_id])
    const moving = move(id, thread.id)
    await untilBlocked(w)
    await writing.query(MARK_READ, [thread.chat_id, bob.id])
    await writing.query('commit')
    await moving
  }
})
