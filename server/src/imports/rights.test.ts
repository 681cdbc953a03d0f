import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as api from '@parley/contract'
import { world } from '../testing/world.js'
import { archiveOf, bringIn, outsiders } from './testing-import.js'

test('whoever left a closed chat reads neither it nor the threads in which they wrote', async (t) => {
  const w = await world(t)
  const person = (id: string, name: string, more: object = {}) => ({
    id,
    name,
    profile: { email: `${name}@example.org` },
    ...more,
  })
  const said = (ts: string, user: string, text: string, more: object = {}) => ({
    type: 'message',
    ts: `16000000${ts}.000100`,
    user,
    text,
    ...more,
  })
  const archive = await archiveOf(t, {
    'users.json': [
      person('U1', 'stays'),
      person('U2', 'left'),
      person('U3', 'visits', { is_restricted: true }),
    ],
    'channels.json': [{ id: 'C1', name: 'open', creator: 'U1', members: ['U1'] }],
    'groups.json': [{ id: 'G1', name: 'closed', creator: 'U1', members: ['U1'] }],
    'closed/2020-09-13.json': [
      said('10', 'U1', 'a secret'),
      said('11', 'U2', 'another secret', { thread_ts: '1600000010.000100' }),
      said('12', 'U2', 'begun by somebody who left'),
      said('13', 'U1', 'gone on without them', { thread_ts: '1600000012.000100' }),
    ],
    'open/2020-09-13.json': [
      said('10', 'U1', 'for all'),
      said('11', 'U2', 'an answer', { thread_ts: '1600000010.000100' }),
      said('12', 'U3', 'of a guest who left', { thread_ts: '1600000010.000100' }),
    ],
  })
  await bringIn(w, archive)
  assert.deepEqual(await outsiders(w), [])
  const idOf = async (nickname: string) =>
    (
      await w.ctx.db
        .selectFrom('users')
        .select('id')
        .where('nickname', '=', nickname)
        .executeTakeFirstOrThrow()
    ).id
  const threads = await w.ctx.db
    .selectFrom('threads')
    .innerJoin('chats', 'chats.id', 'threads.message_chat_id')
    .select(['threads.chat_id', 'chats.name'])
    .execute()
  assert.equal(threads.length, 3)
  for (const [nickname, readable] of [
    ['stays', ['closed', 'open']],
    ['left', ['open']],
    ['visits', []],
  ] as const) {
    const session = await w.as(await idOf(nickname), { session: true })
    for (const { chat_id, name } of threads) {
      const reading = session.call(api.listMessages, { query: { chat_id } })
      const mayRead = (readable as readonly string[]).includes(name)
      if (mayRead) assert.ok((await reading).data.length > 0, `${nickname} ${name}`)
      else await assert.rejects(reading, { status: 403 }, `${nickname} ${name}`)
    }
  }
})
