import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as api from '@parley/contract'
import { OPERATIONS, type Operation, type TokenLimits } from '@parley/contract'
import { everyWrite, send as sendCall } from '../testing/every-write.js'
import { type Person, type World, world } from '../testing/world.js'
import { limited, refusal, saying } from './testing-limits.js'
import { scopesOf } from './tokens.js'

async function send({ url }: World, token: string, operation: Operation, more: RequestInit = {}, query = '') {
  const path = operation.path.replaceAll(/\{\w+\}/g, '1')
  const answer = await fetch(`${url}${operation.root ? '' : '/v1'}${path}${query}`, {
    method: operation.method,
    ...more,
    headers: { Authorization: `Bearer ${token}`, ...(more.headers as Record<string, string>) },
    redirect: 'manual',
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

test('a read-only token writes by no operation', async (t) => {
  const scene = await world(t)
  const { client } = await limited(scene, scene.owner, { read_only: true })
  await scene.ctx.db
    .updateTable('tokens')
    .set({ scopes: scopesOf('owner') })
    .where('user_id', '=', scene.owner.id)
    .execute()
  const writes = OPERATIONS.filter(
    ({ method, roles, sandbox }) => method !== 'GET' && roles.length > 0 && !sandbox,
  )
  assert.ok(writes.length > 80)
  for (const operation of writes) {
    const { status, text } = await send(scene, client.token, operation)
    assert.equal(status, 403, operation.id)
    const open = (operation.roles as readonly string[]).includes('owner') && !operation.sessionOnly
    if (open) assert.equal(JSON.parse(text).explanation.rule, 'token.limits.read_only', operation.id)
  }
  assert.deepEqual((await client.call(api.getTokenInfo)).data.limits, { read_only: true })
})

test('a chat outside the limits is not there: in lists, search, links, files, threads and forwarded copies', async (t) => {
  const scene = await world(t)
  const { alice, bob, office } = scene
  const { data: hidden } = await alice.call(api.createChat, {
    body: { chat: { name: 'zebra plans', member_ids: [bob.id] } },
  })
  const { data: secret } = await alice.call(api.createMessage, saying(hidden.id, 'zebra budget @bob'))
  await alice.call(api.pinMessage, { params: { id: secret.id } })
  await alice.call(api.addReaction, { params: { id: secret.id }, body: { code: '🦓' } })
  const { data: thread } = await alice.call(api.createThread, { params: { id: secret.id } })
  await alice.call(api.createMessage, {
    body: { message: { entity_type: 'thread', entity_id: thread.id, content: 'zebra thread @bob' } },
  })
  await alice.call(api.createMessage, {
    body: { message: { entity_type: 'user', entity_id: bob.id, content: 'zebra whisper' } },
  })
  await alice.call(api.createTask, {
    body: { task: { kind: 'call', content: 'zebra task', chat_id: hidden.id, performer_ids: [bob.id] } },
  })
  const { data: copy } = await alice.call(api.forwardMessage, {
    params: { id: secret.id },
    body: { entity_id: office.id },
  })
  const { data: open } = await alice.call(api.createMessage, saying(office.id, 'plain words'))
  await scene.drain()

  const { client } = await limited(scene, bob, { chat_ids: [office.id] })
  const reads = OPERATIONS.filter(
    ({ method, roles, returns, confined, sandbox, sessionOnly }) =>
      method === 'GET' &&
      (roles as readonly string[]).includes('user') &&
      returns.media === undefined &&
      confined !== false &&
      !sandbox &&
      !sessionOnly,
  )
  for (const operation of reads) {
    const params = Object.keys(operation.params?.properties ?? {})
    const asked = (operation.query?.required as string[] | undefined) ?? []
    const values: Record<string, string> = {
      query: 'zebra',
      chat_id: String(hidden.id),
      message_id: String(secret.id),
    }
    const query = `?${new URLSearchParams(Object.fromEntries(asked.map((name) => [name, values[name] ?? 'zebra'])))}`
    const ids = params.length === 0 ? [''] : [hidden.id, secret.id, thread.id, thread.chat_id]
    for (const id of ids) {
      const path = operation.path.replaceAll(/\{\w+\}/g, String(id))
      const answer = await fetch(`${scene.url}/v1${path}${query}`, {
        headers: { Authorization: `Bearer ${client.token}` },
        redirect: 'manual',
      })
      const text = await answer.text()
      // The tests answer with 599 where an operation fails.
      assert.ok(answer.status < 500, `${operation.id} ${text}`)
      const told = answer.status === 200 ? text.replaceAll('zebra budget', '') : ''
      assert.ok(!/zebra|🦓/.test(told), `${operation.id} ${path}${query}: ${text.slice(0, 400)}`)
    }
  }
  // The copy is in a chat of the token, and does not say where it comes from.
  assert.equal((await client.call(api.getMessage, { params: { id: copy.id } })).data.forwarding, null)
  const absent = await refusal(client.call(api.getChat, { params: { id: 999_999 } }))
  assert.deepEqual(await refusal(client.call(api.getChat, { params: { id: hidden.id } })), absent)
  assert.deepEqual(absent, {
    status: 404,
    rule: 'visible',
    needs: { exists: true, visible: true, field: 'id' },
  })
  assert.equal((await refusal(client.call(api.createMessage, saying(hidden.id, 'x')))).status, 404)
  const person = { body: { message: { entity_type: 'user' as const, entity_id: alice.id, content: 'x' } } }
  assert.equal((await refusal(client.call(api.createMessage, person))).status, 404)
  const found = await client.call(api.searchMessages, { query: { query: 'plain' } })
  assert.deepEqual(
    found.data.map(({ id }) => id),
    [open.id],
  )
})

test('inside its chats a token does everything as before, and its events go out', async (t) => {
  const scene = await world(t)
  const { bob, office } = scene
  const { client } = await limited(scene, bob, { chat_ids: [office.id] })
  const { data: said } = await client.call(api.createMessage, saying(office.id, 'hello @alice'))
  await client.call(api.updateMessage, { params: { id: said.id }, body: { message: { content: 'changed' } } })
  await client.call(api.addReaction, { params: { id: said.id }, body: { code: '👍' } })
  await client.call(api.pinMessage, { params: { id: said.id } })
  const { data: thread } = await client.call(api.createThread, { params: { id: said.id } })
  const { data: reply } = await client.call(api.createMessage, {
    body: { message: { entity_type: 'thread', entity_id: thread.id, content: 'reply' } },
  })
  assert.equal(reply.chat_id, thread.chat_id)
  await scene.alice.call(api.createMessage, {
    body: { message: { entity_type: 'thread', entity_id: thread.id, content: 'and another' } },
  })
  const timeline = await client.call(api.listTimeline, { params: { id: office.id } })
  assert.ok(timeline.data.some(({ id, thread: under }) => id === said.id && under?.id === thread.id))
  const { data: card } = await client.call(api.getChatCard, { params: { id: office.id } })
  assert.equal(card.id, office.id)
  const { data: start } = await client.call(api.getStart)
  assert.deepEqual([start.chats.map(({ id }) => id), start.unread_threads], [[office.id], 1])
  const { data: inbox } = await client.call(api.listThreadInbox)
  assert.deepEqual([inbox.length, inbox[0]?.thread.id], [1, thread.id])
  const list = await client.call(api.listMessages, { query: { chat_id: office.id } })
  assert.equal(
    list.data.some(({ id }) => id === said.id),
    true,
  )
  await client.call(api.deleteMessage, { params: { id: said.id } })
  assert.deepEqual(
    (await client.call(api.listChats)).data.map(({ id }) => id),
    [office.id],
  )
  const types = (await scene.events()).map(({ type }) => type)
  for (const type of ['message.created', 'reaction.created', 'message.deleted'])
    assert.ok(types.includes(type), `${type} in ${types}`)
})

test('no write fails for a token with limits on chats', async (t) => {
  const scene = await world(t)
  const calls = await everyWrite(scene)
  const { rows } = await scene.ctx.pool.query('select array_agg(id order by id)::int[] as ids from chats')
  const limits = JSON.stringify({ chat_ids: rows[0].ids })
  await scene.ctx.pool.query('update tokens set limits = $1', [limits])
  const failed: string[] = []
  const open = calls.filter(({ operation }) => !operation.sessionOnly && operation.confined !== false)
  for (const call of open) {
    const answer = await sendCall(scene, call.by ?? scene.owner, call, 'true')
    if (answer.status >= 500) failed.push(`${call.operation.id}: ${answer.text}`)
  }
  assert.deepEqual(failed, [])
})

test('kinds of chats: a token without personal chats does not see them', async (t) => {
  const scene = await world(t)
  const { alice, bob } = scene
  const whisper = { entity_type: 'user' as const, entity_id: bob.id, content: 'psst' }
  const { data } = await alice.call(api.createMessage, { body: { message: whisper } })
  const { client } = await limited(scene, bob, { chat_kinds: ['conversation', 'channel'] })
  assert.equal((await refusal(client.call(api.getMessage, { params: { id: data.id } }))).status, 404)
  assert.equal((await client.call(api.searchMessages, { query: { query: 'psst' } })).data.length, 0)
  assert.equal((await bob.call(api.getMessage, { params: { id: data.id } })).data.content, 'psst')
})

test('drafts to a person belong to their personal chat, also for a token that does not see it', async (t) => {
  const scene = await world(t)
  const { alice, bob, admin } = scene
  const to = ({ id }: Person) => ({ entity_type: 'user' as const, entity_id: id, content: 'unsent' })
  const { data: said } = await alice.call(api.createMessage, { body: { message: to(bob) } })
  const { data: own } = await bob.call(api.createDraft, { body: { draft: to(alice) } })
  const outside = await limited(scene, bob, { chat_ids: [scene.office.id] })
  const inside = await limited(scene, bob, { chat_ids: [said.chat_id] })
  for (const [{ client }, person] of [
    [outside, alice],
    [outside, admin],
    [inside, admin],
  ] as const) {
    assert.equal((await refusal(client.call(api.createDraft, { body: { draft: to(person) } }))).status, 404)
    assert.equal((await refusal(client.call(api.putDraftAt, { body: { draft: to(person) } }))).status, 404)
  }
  assert.deepEqual((await outside.client.call(api.listDrafts)).data, [])
  assert.deepEqual((await inside.client.call(api.listDrafts)).data, [own])
  const changed = { ...to(alice), content: 'changed' }
  const { data: put } = await inside.client.call(api.putDraftAt, { body: { draft: changed } })
  assert.deepEqual([put?.id, put?.chat_id, put?.content], [own.id, said.chat_id, 'changed'])
})

test('the eleventh write of ten a day is refused, in parallel too, and tomorrow there is room again', async (t) => {
  const scene = await world(t)
  scene.clock.freeze(true)
  const { client } = await limited(scene, scene.bob, { writes_per_day: 10 })
  const body = JSON.stringify(saying(scene.office.id, 'hi').body)
  const headers = { 'Content-Type': 'application/json' }
  const wrong = await send(scene, client.token, api.createMessage, { body: '{}', headers })
  assert.equal(wrong.status, 400)
  const all = await Promise.all(
    Array.from({ length: 15 }, () => send(scene, client.token, api.createMessage, { body, headers })),
  )
  assert.equal(all.filter(({ status }) => status === 201).length, 10)
  const refused = all.filter(({ status }) => status === 403)
  assert.equal(refused.length, 5)
  assert.equal(JSON.parse(refused[0]?.text ?? '').explanation.rule, 'token.limits.writes_per_day')
  const dry = await send(scene, client.token, api.createMessage, {
    body,
    headers: { ...headers, 'Parley-Dry-Run': 'true' },
  })
  assert.equal(dry.status, 201)
  scene.clock.advance(24 * 3600 * 1000)
  const next = await send(scene, client.token, api.createMessage, { body, headers })
  assert.deepEqual([next.status, next.headers.get('parley-writes-left')], [201, '9'])
})

test('operations, dry run alone, and an end', async (t) => {
  const scene = await world(t)
  const { client, session } = await limited(scene, scene.bob, {
    operations: ['listChats', 'createMessage'],
    dry_run_only: true,
    expires_at: '2030-01-01T00:00:00Z',
  })
  assert.equal((await client.call(api.listChats)).data.length > 0, true)
  const { data } = await client.call(api.getTokenInfo)
  assert.deepEqual(data.limits?.operations, ['listChats', 'createMessage'])
  assert.equal((await refusal(client.call(api.listTasks))).rule, 'token.limits.operations')
  const over = { name: 'over', scopes: scopesOf('user'), limits: { expires_at: '2020-01-01T00:00:00Z' } }
  const { status } = await refusal(session.call(api.createPersonalToken, { body: over }))
  assert.equal(status, 422)
  assert.equal(
    (await refusal(client.call(api.createMessage, saying(scene.office.id, 'hi')))).rule,
    'token.limits.dry_run_only',
  )
  scene.clock.advance(5 * 365 * 24 * 3600 * 1000)
  assert.equal((await refusal(client.call(api.listChats))).status, 401)
})

test('a write that needs approval passes once, after a person said so', async (t) => {
  const scene = await world(t)
  const { client, session } = await limited(scene, scene.bob, { approval: 'writes' })
  const write = () => client.call(api.createMessage, saying(scene.office.id, 'please'))
  const asked = await refusal(write())
  assert.equal(asked.rule, 'token.limits.approval')
  assert.deepEqual((await refusal(write())).needs.approval_id, asked.needs.approval_id)
  await scene.drain()
  const { data: notices } = await session.call(api.listNotices)
  assert.deepEqual(
    notices.map(({ kind, payload }) => [kind, (payload as { approval_id: number }).approval_id]),
    [['token.approval', asked.needs.approval_id]],
  )
  const { data } = await session.call(api.listApprovals)
  assert.deepEqual([data[0]?.token_name, data[0]?.user_id], ['program', scene.bob.id])
  assert.deepEqual(
    data.map(({ operation, state, request }) => [
      operation,
      state,
      (request.body as { message: { content: string } }).message.content,
    ]),
    [['createMessage', 'pending', 'please']],
  )
  const id = data[0]?.id as number
  assert.equal(
    (await refusal(client.call(api.decideApproval, { params: { id }, body: { approved: true } }))).status,
    403,
  )
  await session.call(api.decideApproval, { params: { id }, body: { approved: true } })
  assert.equal((await write()).data.content, 'please')
  assert.equal((await refusal(write())).rule, 'token.limits.approval')
})

test('no more than a hundred requests of a token wait for a person', async (t) => {
  const scene = await world(t)
  const { client, session } = await limited(scene, scene.bob, { approval: 'writes' })
  const write = (name: string) => refusal(client.call(api.createChat, { body: { chat: { name } } }))
  const asked = await Promise.all(Array.from({ length: 100 }, (_, index) => write(`chat ${index}`)))
  const ids = new Set(asked.map(({ needs }) => needs.approval_id))
  assert.equal(ids.size, 100)
  const { rule, needs } = await write('one more')
  assert.deepEqual([rule, needs.approval_id], ['token.limits.approval', undefined])
  assert.ok(ids.has((await write('chat 7')).needs.approval_id))
  const { data } = await session.call(api.listApprovals, { query: { limit: 1 } })
  const params = { id: data[0]?.id as number }
  await session.call(api.decideApproval, { params, body: { approved: false } })
  assert.ok((await write('one more')).needs.approval_id)
})

test('a write outside the chats waits for a person where the limits say so', async (t) => {
  const scene = await world(t)
  const { alice, bob, office } = scene
  const { data: other } = await alice.call(api.createChat, {
    body: { chat: { name: 'other', member_ids: [bob.id] } },
  })
  const { client, session } = await limited(scene, bob, { chat_ids: [office.id], approval: 'outside' })
  await client.call(api.createMessage, saying(office.id, 'inside'))
  const write = () => client.call(api.createMessage, saying(other.id, 'outside'))
  const { needs } = await refusal(write())
  await session.call(api.decideApproval, {
    params: { id: needs.approval_id as number },
    body: { approved: true },
  })
  assert.equal((await write()).data.chat_id, other.id)
})

test('limits only become narrower, and unknown operations are refused', async (t) => {
  const scene = await world(t)
  const { session, token_id } = await limited(scene, scene.bob, { chat_ids: [1, 2], writes_per_day: 5 })
  const change = (limits: TokenLimits) =>
    session.call(api.updatePersonalToken, { params: { id: token_id }, body: { limits } })
  for (const wider of [
    {},
    { chat_ids: [1, 2, 3], writes_per_day: 5 },
    { chat_ids: [1] },
    { writes_per_day: 5 },
  ])
    assert.equal((await refusal(change(wider))).rule, 'token.limits.narrow', JSON.stringify(wider))
  const { data } = await change({ chat_ids: [1], writes_per_day: 3, read_only: true })
  assert.deepEqual(data.limits, { chat_ids: [1], writes_per_day: 3, read_only: true })
  assert.equal((await refusal(change({ ...data.limits, operations: ['flyAway'] }))).status, 422)
})
