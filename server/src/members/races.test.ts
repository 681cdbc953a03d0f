import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveChat, deleteGroupTag, deleteUser, leaveChat, unbindChatTag } from '@parley/contract'
import { tag } from '../chats/testing-stage.js'
import { type Person, type World, world } from '../testing/world.js'
import { add, at, bind, type Call, findMember, newChat, ROUNDS, retag, together } from './testing-races.js'

const STEPS = 10

/** The members according to the events: everybody added once more than removed. */
async function toldIn({ ctx }: World, chatId: number): Promise<Map<number, number>> {
  const rows = await ctx.db
    .selectFrom('events')
    .select(['type', 'payload'])
    .where('chat_id', '=', chatId)
    .where('type', 'in', ['chat_members.added', 'chat_members.removed'])
    .execute()
  const balance = new Map<number, number>()
  for (const { type, payload } of rows)
    for (const id of payload.user_ids as number[])
      balance.set(id, (balance.get(id) ?? 0) + (type === 'chat_members.added' ? 1 : -1))
  return balance
}

async function assertToldAsIs(stage: World, chatId: number, creator: Person) {
  const balance = await toldIn(stage, chatId)
  const rows = await stage.ctx.db
    .selectFrom('chat_members')
    .select('user_id')
    .where('chat_id', '=', chatId)
    .where('user_id', '<>', creator.id)
    .execute()
  const told = [...balance].filter(([, count]) => count !== 0)
  assert.deepEqual(
    new Map(told),
    new Map(rows.map(({ user_id }) => [user_id, 1])),
    'the events and the roster tell the same story',
  )
}

test('two who add the same people at once add each of them once', async (t) => {
  const stage = await world(t)
  const { alice, bob, admin, owner, mia } = stage
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await newChat(alice, { public: true })
    await together(
      stage,
      round,
      [],
      () => add(alice, id, bob, admin, owner),
      () => add(owner, id, owner, admin, mia),
      () => add(admin, id, bob),
    )
    await assertToldAsIs(stage, id, alice)
    assert.equal((await toldIn(stage, id)).size, 4)
  }
})

test('whoever is added while the chat is archived came before, or was refused', async (t) => {
  const stage = await world(t)
  const { alice, bob, admin, person } = stage
  const guest = await person({ role: 'guest' })
  let refused = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await newChat(alice, { member_ids: [bob.id] })
    const [added, archived] = await together(
      stage,
      round,
      [403],
      () => add(bob, id, admin, guest),
      () => alice.call(archiveChat, at(id)),
    )
    assert.ok(archived)
    if (!added) refused += 1
    assert.equal((await findMember(stage, id, admin)) !== undefined, added)
    assert.equal(await findMember(stage, id, guest), undefined)
    await assertToldAsIs(stage, id, alice)
  }
  t.diagnostic(`${refused} of ${ROUNDS} came too late`)
})

test('a person who gets a tag while it is unbound does not stay in the chat', async (t) => {
  const stage = await world(t)
  const { alice, bob, admin, owner, drain } = stage
  const id = await newChat(alice)
  const design = await tag(stage, 'Design', [owner])
  for (let round = 0; round < ROUNDS; round += 1) {
    await bind(alice, id, design)
    const unbind = () => alice.call(unbindChatTag, { params: { id, tag_id: design } })
    await together(stage, round, [], () => retag(admin, bob, ['Design']), unbind)
    await drain()
    assert.equal(await findMember(stage, id, bob), undefined)
    assert.equal(await findMember(stage, id, owner), undefined)
    await assertToldAsIs(stage, id, alice)
    await retag(admin, bob, [])
  }
})

test('a person who gets or loses a tag while it is bound is in the chat just as the tag says', async (t) => {
  const stage = await world(t)
  const { alice, bob, admin, person } = stage
  const carol = await person({ nickname: 'carol' })
  const design = await tag(stage, 'Design', [])
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await newChat(alice)
    await retag(admin, carol, ['Design'])
    await together(
      stage,
      round,
      [],
      () => retag(admin, bob, ['Design']),
      () => bind(alice, id, design),
      () => retag(admin, carol, []),
    )
    assert.deepEqual(await findMember(stage, id, bob), { manual: false, tag_ids: [design] })
    assert.equal(await findMember(stage, id, carol), undefined)
    await assertToldAsIs(stage, id, alice)
    await retag(admin, bob, [])
  }
})

/** The same numbers in every run, so that a round that fails can be repeated. */
function seeded(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

test('a tag unbound and bound again while a person loses or gets it leaves the roster as the tag says', async (t) => {
  const stage = await world(t)
  const { ctx, alice, bob, admin, drain } = stage
  const design = await tag(stage, 'Design', [])
  const chats: number[] = []
  for (let count = 0; count < 10; count += 1) chats.push(await newChat(alice))
  const random = seeded(7)
  const soon = async (call: Call) => {
    for (let turns = random(60); turns > 0; turns -= 1) await new Promise(setImmediate)
    return call().catch((error: { status?: number }) => assert.equal(error.status, 404))
  }
  let in_chats = 0
  for (let step = 0; step < STEPS; step += 1) {
    const tagged = step % 3 === 0
    await Promise.all([
      ...chats.map((id) => bind(alice, id, design)),
      retag(admin, bob, tagged ? [] : ['Design']),
    ])
    await Promise.all([
      ...chats.map((id) => soon(() => alice.call(unbindChatTag, { params: { id, tag_id: design } }))),
      ...chats.map((id) => soon(() => bind(alice, id, design))),
      soon(() => retag(admin, bob, tagged ? ['Design'] : [])),
    ])
    await drain()
    const bound = await ctx.db.selectFrom('chat_tags').select('chat_id').orderBy('chat_id').execute()
    const expected = tagged ? bound.map(({ chat_id }) => chat_id) : []
    const rows = await ctx.db
      .selectFrom('chat_members')
      .select('chat_id')
      .where('user_id', '=', bob.id)
      .where('chat_id', 'in', chats)
      .orderBy('chat_id')
      .execute()
    const is = rows.map(({ chat_id }) => chat_id)
    assert.deepEqual(is, expected, `step ${step}`)
    in_chats += is.length
  }
  for (const id of chats) await assertToldAsIs(stage, id, alice)
  t.diagnostic(`${in_chats} times in, in ${STEPS * chats.length} rounds`)
})

test('two tags that come and go at once leave whom one of them still holds', async (t) => {
  const stage = await world(t)
  const { alice, bob, admin } = stage
  const one = await tag(stage, 'One', [])
  const two = await tag(stage, 'Two', [])
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await newChat(alice)
    await bind(alice, id, one)
    await retag(admin, bob, ['One'])
    await together(
      stage,
      round,
      [],
      () => bind(alice, id, two),
      () => retag(admin, bob, ['Two']),
    )
    assert.deepEqual(await findMember(stage, id, bob), { manual: false, tag_ids: [two] })
    await retag(admin, bob, [])
    assert.equal(await findMember(stage, id, bob), undefined)
  }
})

test('a chat archived while a tag reaches it holds nobody by the tag', async (t) => {
  const stage = await world(t)
  const { alice, bob, admin, drain } = stage
  const design = await tag(stage, 'Design', [])
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await newChat(alice)
    await together(
      stage,
      round,
      [403],
      () => bind(alice, id, design),
      () => alice.call(archiveChat, at(id)),
      () => retag(admin, bob, ['Design']),
    )
    const member = await findMember(stage, id, bob)
    if (member) assert.deepEqual(member, { manual: true, tag_ids: [] })
    await retag(admin, bob, [])
    await drain()
    assert.deepEqual(await findMember(stage, id, bob), member)
  }
})

test('a tag deleted while it is bound brought its people first, or was not found', async (t) => {
  const stage = await world(t)
  const { alice, bob, admin, drain } = stage
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await newChat(alice)
    const design = await tag(stage, `Tag ${round}`, [bob])
    const [bound] = await together(
      stage,
      round,
      [404],
      () => bind(alice, id, design),
      () => admin.call(deleteGroupTag, at(design)),
    )
    await drain()
    const member = await findMember(stage, id, bob)
    assert.deepEqual(member, bound ? { manual: true, tag_ids: [] } : undefined)
  }
})

test('whoever leaves while a tag takes hold ends up inside', async (t) => {
  const stage = await world(t)
  const { alice, bob } = stage
  const design = await tag(stage, 'Design', [bob])
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await newChat(alice, { member_ids: [bob.id] })
    await together(
      stage,
      round,
      [403],
      () => bob.call(leaveChat, at(id)),
      () => bind(alice, id, design),
    )
    assert.ok(await findMember(stage, id, bob))
    await assertToldAsIs(stage, id, alice)
  }
})

test('a bot of one chat, and a guest, added to two chats at once are in one of them', async (t) => {
  const stage = await world(t)
  const { ctx, alice, bot, office, person } = stage
  await ctx.db
    .deleteFrom('chat_members')
    .where('chat_id', '=', office.id)
    .where('user_id', '=', bot.id)
    .execute()
  await ctx.db.updateTable('bots').set({ single_chat: true }).where('user_id', '=', bot.id).execute()
  const guest = await person({ role: 'guest' })
  for (let round = 0; round < ROUNDS; round += 1) {
    const [one, two] = [await newChat(alice), await newChat(alice)]
    for (const someone of [bot, guest]) {
      const added = await together(
        stage,
        round,
        [409, 422],
        () => add(alice, one, someone),
        () => add(alice, two, someone),
      )
      assert.equal(added.filter(Boolean).length, 1)
    }
    await alice.call(archiveChat, at(one))
    await alice.call(archiveChat, at(two))
  }
})

test('nobody who was deleted is left in a chat', async (t) => {
  const stage = await world(t)
  const { alice, admin, person } = stage
  const design = await tag(stage, 'Design', [])
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await newChat(alice)
    const goner = await person({ nickname: `goner${round}` })
    await retag(admin, goner, ['Design'])
    const remove = () => admin.call(deleteUser, { params: { id: goner.id } })
    await together(
      stage,
      round,
      [404],
      () => add(alice, id, goner),
      () => bind(alice, id, design),
      remove,
    )
    assert.equal(await findMember(stage, id, goner), undefined)
  }
})
