import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as api from '@parley/contract'
import { world } from '../testing/world.js'
import { listRemarks } from './queries.js'
import { archiveOf, bringIn } from './testing-import.js'

const HOST = 'https://acme.slack.com/archives'

function exportOf(said: readonly { ts: string; text: string; thread_ts?: string }[]) {
  return {
    'users.json': [{ id: 'U1', name: 'zoe', profile: { real_name: 'Zoe', email: 'zoe@example.org' } }],
    'channels.json': [{ id: 'C1', name: 'garden', created: 1_600_000_000, creator: 'U1', members: ['U1'] }],
    'garden/2020-09-14.json': said.map((entry) => ({ type: 'message', user: 'U1', ...entry })),
  }
}

test('links to messages and chats of the old host lead to them here, also from a later import', async (t) => {
  const w = await world(t)
  const root = { ts: '1600000001.000100', text: 'root' }
  const said = [
    root,
    { ts: '1600000002.000100', text: 'reply', thread_ts: root.ts },
    {
      ts: '1600000003.000100',
      text: `<${HOST}/C1/p1600000001000100|this>, <${HOST}/C1/p1600000002000100?thread_ts=1600000001.000100&amp;cid=C1>. <${HOST}/C1>`,
    },
    {
      ts: '1600000004.000100',
      text: `\`${HOST}/C1/p1600000001000100\` <${HOST}/C9/p1600000001000100> <https://example.org/archives/C1>`,
    },
  ]
  const done = await bringIn(w, await archiveOf(t, exportOf(said)))
  const later = { ts: '1600000005.000100', text: `<${HOST}/C1/p1600000001000100>` }
  await bringIn(w, await archiveOf(t, exportOf([...said, later])))

  const { id } = await w.ctx.db
    .selectFrom('users')
    .select('id')
    .where('nickname', '=', 'zoe')
    .executeTakeFirstOrThrow()
  const zoe = await w.as(id, { session: true })
  const { data: chats } = await zoe.call(api.listChats, {})
  const garden = chats.find(({ name }) => name === 'garden')?.id as number
  const { data: page } = await zoe.call(api.listMessages, { query: { chat_id: garden } })
  const [first, links, kept, fromLater] = page.toReversed()
  const { data: replies } = await zoe.call(api.listMessages, {
    query: { chat_id: first?.thread?.chat_id as number },
  })
  const reply = replies[0]
  const chat = `${w.ctx.config.app_url}/chats/${garden}`
  assert.equal(first?.url, `${chat}?message=${first?.id}`)
  assert.equal(links?.content, `[this](${first?.url}), ${reply?.url}. ${chat}`)
  assert.equal(
    kept?.content,
    `\`${HOST}/C1/p1600000001000100\` ${HOST}/C9/p1600000001000100 https://example.org/archives/C1`,
  )
  assert.equal(fromLater?.content, first?.url)
  const remarks = await listRemarks(w.ctx.db, done.id)
  const left = remarks.find(({ reason }) => reason.startsWith('links to the old host'))
  assert.deepEqual([left?.count, left?.ids], [1, ['C1:1600000004.000100']])
})
