import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createMessage, deleteMessage, listLinkPreviews, updateMessage } from '@parley/contract'
import sharp from 'sharp'
import { transaction } from '../platform/db/transaction.js'
import { world } from '../testing/world.js'
import { replacePreviews } from './actions.js'
import { createPageReader } from './make.js'
import { readPage } from './open-graph.js'

type Answer = (response: ServerResponse, path: string) => void

const html = (response: ServerResponse, text: string) => {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(text)
}

/** A site of the outside world, and how often each of its pages was asked for. */
async function site(t: TestContext, answer: Answer) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url as string)
    answer(response, request.url as string)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Previews never call loopback, where the sites of these tests are, unless the allow list has it. */
const ALLOWED = { PARLEY_OUTBOUND_ALLOW: '127.0.0.1' }

async function setUp(t: TestContext, answer: Answer, env: Record<string, string> = ALLOWED) {
  const stage = await world(t, { env })
  const page = await site(t, answer)
  const { alice, office, as, drain } = stage
  const reader = await as(alice.id, { session: true })
  const say = async (content: string, link_preview = true) => {
    const { data } = await alice.call(createMessage, {
      body: { message: { entity_id: office.id, content }, link_preview },
    })
    await drain()
    return data.id
  }
  const shown = async (id: number, who = reader) =>
    (await who.call(listLinkPreviews, { query: { message_ids: [id] } })).data
  return { ...stage, page, say, shown }
}

const PAGE = `<html><head><title>plain</title><meta property="og:title" content="Отчёт &amp; план">
  <meta property="og:description" content="Что   сделано"><meta property="og:image" content="/picture.png"></head></html>`

test('the first link of a message gets a preview, with a copy of its picture', async (t) => {
  const picture = await sharp({ create: { width: 1200, height: 630, channels: 3, background: 'navy' } })
    .png()
    .toBuffer()
  const { page, say, shown, events } = await setUp(t, (response, path) => {
    if (path === '/picture.png') response.end(picture)
    else html(response, PAGE)
  })
  const id = await say(`смотри ${page.url}/a, а потом ${page.url}/b`)

  const [preview, ...more] = await shown(id)
  assert.deepEqual(more, [])
  assert.deepEqual(
    { ...preview, image_url: null },
    {
      message_id: id,
      url: `${page.url}/a`,
      title: 'Отчёт & план',
      description: 'Что сделано',
      image_url: null,
    },
  )
  assert.deepEqual(page.asked, ['/a', '/picture.png'])
  const copy = await fetch(preview?.image_url as string)
  assert.equal((await sharp(Buffer.from(await copy.arrayBuffer())).metadata()).width, 640)
  const told = (await events()).filter(({ type }) => type === 'message.previewed')
  assert.deepEqual(
    told.map(({ payload }) => payload.message_id),
    [id],
  )
})

test('a message that does not ask for a preview, or has no link, gets none', async (t) => {
  const { page, say, shown } = await setUp(t, (response) => html(response, PAGE))
  assert.deepEqual(await shown(await say(`${page.url}/a`, false)), [])
  assert.deepEqual(await shown(await say('no link')), [])
  assert.deepEqual(await shown(await say(`\`${page.url}/code\``)), [])
  assert.deepEqual(page.asked, [])
})

test('what is no page, has no title, fails, redirects or is large gives no preview', async (t) => {
  const { page, say, shown } = await setUp(t, (response, path) => {
    if (path === '/json') return response.setHeader('content-type', 'application/json').end('{}')
    if (path === '/untitled') return html(response, '<p>text</p>')
    if (path === '/missing') return response.writeHead(404).end(PAGE)
    if (path === '/moved') return response.writeHead(302, { location: '/a' }).end()
    if (path === '/broken') return response.destroy()
    return html(
      response,
      `<title>large</title>${' '.repeat(3_000_000)}<meta property="og:title" content="end">`,
    )
  })
  for (const path of ['/json', '/untitled', '/missing', '/moved', '/broken'])
    assert.deepEqual(await shown(await say(page.url + path)), [], path)
  assert.deepEqual(page.asked, ['/json', '/untitled', '/missing', '/moved', '/broken'])
  const [large] = await shown(await say(`${page.url}/large`))
  assert.equal(large?.title, 'large')
})

test('loopback is not asked, not even by a server that only loopback reaches', async (t) => {
  const { page, say, shown } = await setUp(t, (response) => html(response, PAGE), {})
  assert.deepEqual(await shown(await say(`${page.url}/a`)), [])
  assert.deepEqual(await shown(await say('http://169.254.169.254/latest')), [])
  assert.deepEqual(page.asked, [])
})

test('an edit removes the preview for good, and so does deleting', async (t) => {
  const { ctx, page, say, shown, alice, drain } = await setUp(t, (response) => html(response, PAGE))
  const id = await say(`${page.url}/a`)
  assert.equal((await shown(id)).length, 1)
  await alice.call(updateMessage, { params: { id }, body: { message: { content: `${page.url}/b` } } })
  await drain()
  assert.deepEqual(await shown(id), [])
  assert.deepEqual(page.asked, ['/a', '/picture.png'])

  const other = await say(`${page.url}/a`)
  await alice.call(deleteMessage, { params: { id: other } })
  await drain()
  assert.deepEqual(await ctx.db.selectFrom('link_previews').selectAll().execute(), [])
})

test('previews given by a bot replace that of the server', async (t) => {
  const { ctx, page, say, shown, bot, office } = await setUp(t, (response) => html(response, PAGE))
  const id = await say(`${page.url}/a`)
  const given = {
    url: `${page.url}/a`,
    title: 'Task 5',
    description: 'open',
    image_url: 'https://example.org/5.png',
  }
  await transaction(ctx, (tx) =>
    replacePreviews(tx, ctx, { user_id: bot.id }, { id, chat_id: office.id }, [given]),
  )
  assert.deepEqual(await shown(id), [{ message_id: id, ...given }])
})

test('previews are shown to those who read the message', async (t) => {
  const { page, say, shown, as, admin, bob, bot } = await setUp(t, (response) => html(response, PAGE))
  const id = await say(`${page.url}/a`)
  assert.equal((await shown(id, await as(bob.id, { session: true }))).length, 1)
  assert.deepEqual(await shown(id, await as(admin.id, { session: true })), [])
  await assert.rejects(shown(id, bot), { status: 403, code: 'not_authorized' })
  const many = Array.from({ length: 101 }, (_, index) => index)
  const session = await as(bob.id, { session: true })
  await assert.rejects(session.call(listLinkPreviews, { query: { message_ids: many } }), {
    status: 400,
    code: 'too_long',
  })
})

test('a page is read in the letters it is written in', () => {
  const page = Buffer.concat([
    Buffer.from('<meta charset="windows-1251"><title>'),
    Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]),
    Buffer.from('</title><meta property="og:image" content="javascript:alert(1)">'),
  ])
  assert.deepEqual(readPage('https://a.example/', page, 'text/html'), {
    title: 'Привет',
    description: '',
    image_url: null,
  })
})

test('a page that keeps the parser busy is read up to a limit, away from the event loop', async (t) => {
  const { page, say, shown } = await setUp(t, (response) =>
    html(response, `<head><title>busy</title></head>${'<p><a>'.repeat(160_000)}`),
  )
  assert.equal((await shown(await say(`${page.url}/a`)))[0]?.title, 'busy')

  const pages = createPageReader()
  const body = Buffer.from('<p><a>'.repeat(160_000))
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 1)
  t.after(() => clearInterval(timer))
  assert.equal(await pages.ask({ url: 'https://a.example/', body, content_type: 'text/html' }), null)
  assert.ok(turns > 10, `the event loop turned ${turns} times meanwhile`)
})
