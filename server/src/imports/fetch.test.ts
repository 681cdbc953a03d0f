import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { listMessages } from '@parley/contract'
import { sql } from 'kysely'
import { world } from '../testing/world.js'
import { listRemarks } from './queries.js'
import { archiveOf, assertAllCounted, bringIn, sizes } from './testing-import.js'

const TOKEN = 'xoxe-planted-secret'
const LARGE = Buffer.alloc(9 * 1024 * 1024, 'parley')

/** A host of files that wants a token, and refuses to give one of them twice. */
async function host(t: TestContext) {
  const asked: string[] = []
  let busy = true
  const bodies: Record<string, Buffer> = { '/large': LARGE, '/busy': Buffer.from('12345') }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
    asked.push(`${pathname} ${request.headers.range}`)
    if (pathname === '/elsewhere')
      return response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    if (searchParams.get('t') !== TOKEN && !request.headers.authorization)
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in</p>')
    if (pathname === '/busy' && busy) {
      busy = false
      return response.writeHead(429, { 'retry-after': '0' }).end()
    }
    const body = bodies[pathname]
    if (!body) return response.writeHead(404).end()
    const [, from = '0', to = '0'] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? []
    const part = body.subarray(Number(from), Number(to) + 1)
    const last = Number(from) + part.length - 1
    response.writeHead(206, { 'content-range': `bytes ${from}-${last}/${body.length}` }).end(part)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

function exportWith(origin: string) {
  const file = (id: string, url: string, size: number) => ({
    id,
    name: `${id}.bin`,
    size,
    mode: 'hosted',
    url_private: `${url}?t=${TOKEN}`,
  })
  const files = [
    file('large', `${origin}/large`, LARGE.length),
    file('busy', `${origin}/busy`, 5),
    file('gone', `${origin}/gone`, 5),
    file('elsewhere', `${origin}/elsewhere`, 5),
    file('wrong', `${origin}/busy`, 6),
    file('other', 'http://other.example.org/x', 5),
  ]
  return {
    'users.json': [{ id: 'U1', name: 'anna', profile: { email: 'anna@example.org' } }],
    'channels.json': [{ id: 'C1', name: 'general', members: ['U1'] }],
    'general/2020-09-13.json': [{ type: 'message', user: 'U1', ts: '1600000001.000100', text: 'see', files }],
  }
}

test('files are fetched from hosts that the operator names, and hang on messages that came before them', async (t) => {
  const w = await world(t, { env: { PARLEY_OUTBOUND_ALLOW: '127.0.0.1/32' } })
  const { origin, asked } = await host(t)
  const archive = await archiveOf(t, exportWith(origin))
  await bringIn(w, archive)
  assert.deepEqual(asked, [], 'nothing is fetched unasked')
  const said = () => w.ctx.db.selectFrom('messages').select('content').executeTakeFirstOrThrow()
  assert.match((await said()).content, /^see\n📎 large\.bin/)
  const { id } = await w.ctx.db
    .selectFrom('chats')
    .select('id')
    .where('name', '=', 'general')
    .executeTakeFirstOrThrow()
  const shown = async () => (await w.admin.call(listMessages, { query: { chat_id: id } })).data[0]
  assert.equal((await shown())?.files.length, 0)

  const done = await bringIn(w, archive, { fetching: { origins: [origin], token: null } })
  assertAllCounted(done)
  assert.equal((done.counts as { file: { written: number } }).file.written, 2)
  const { content } = await said()
  assert.equal(
    content,
    'see\n📎 gone.bin (5 bytes)\n📎 elsewhere.bin (5 bytes)\n📎 wrong.bin (6 bytes)\n📎 other.bin (5 bytes)',
  )
  assert.deepEqual([(await shown())?.content, (await shown())?.files.length], [content, 2])
  const files = await w.ctx.db.selectFrom('files').selectAll().orderBy('position').execute()
  assert.deepEqual(
    files.map(({ name, size }) => [name, size]),
    [
      ['large.bin', LARGE.length],
      ['busy.bin', 5],
    ],
  )
  const bytes = await w.ctx.storage.read(files[0]?.key as string)
  assert.ok(Buffer.concat(await bytes.toArray()).equals(LARGE), 'parts are put together')
  const reasons = (await listRemarks(w.ctx.db, done.id)).map(({ reason, ids }) => [reason, ids[0]])
  for (const [reason, id] of [
    ['is gone', 'gone'],
    ['is answered with another address', 'elsewhere'],
    ['has another size where it was fetched from', 'wrong'],
    ['is not in the archive', 'other'],
  ])
    assert.ok(
      reasons.some(([told, of]) => told === reason && of === id),
      `${id} ${reason}: ${JSON.stringify(reasons)}`,
    )
  const { rows } = await sql`
    select from import_remarks x where x::text like '%planted%' union all select from imports x where x::text like '%planted%'
    union all select from import_objects x where x::text like '%planted%' union all select from messages x where x::text like '%planted%'`.execute(
    w.ctx.autocommit,
  )
  assert.equal(rows.length, 0, 'the token is kept nowhere')
  const after = await sizes(w)
  await bringIn(w, archive, { fetching: { origins: [origin], token: null } })
  assert.deepEqual(await sizes(w), after)
})

test('a page to sign in is no file, and an address inside the network is not asked', async (t) => {
  const w = await world(t, { env: { PARLEY_OUTBOUND_ALLOW: '127.0.0.1/32' } })
  const { origin, asked } = await host(t)
  const inside = 'http://10.0.0.7'
  const file = (id: string, url: string) => ({ id, name: id, mode: 'hosted', url_private: url })
  const archive = await archiveOf(t, {
    ...exportWith(origin),
    'general/2020-09-13.json': [
      {
        type: 'message',
        user: 'U1',
        ts: '1600000001.000100',
        text: 'see',
        files: [file('page', `${origin}/large`), file('inside', `${inside}/x`)],
      },
    ],
  })
  const done = await bringIn(w, archive, { fetching: { origins: [origin, inside], token: null } })
  const reasons = (await listRemarks(w.ctx.db, done.id)).map(({ reason }) => reason).sort()
  assert.deepEqual(reasons, ['is answered with a page to sign in', 'lies at an address that is not allowed'])
  assert.equal(asked.length, 1)
})
