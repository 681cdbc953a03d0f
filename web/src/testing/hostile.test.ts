import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createLinkPreviews,
  createMessage,
  createThread,
  updateChat,
  updateOwnProfile,
} from '@parley/contract'
import { type Stage, stage, untilHolds } from './browser.js'

/** Each would call `pwned` or ask a foreign host where a text became markup, an address or a style. */
const CORPUS = [
  '<script>pwned()</script>',
  '<img src=x onerror=pwned()>',
  '"><svg onload=pwned()>',
  "'-pwned()-'",
  '</textarea><iframe srcdoc="<script>parent.pwned()</script>">',
  '[click](javascript:pwned())',
  '![x](https://evil.example/a.png)',
  'https://evil.example/"onmouseover="pwned()',
  'javascript:pwned()//',
  '{{constructor.constructor("pwned()")()}}',
  '```html\n<img src=x onerror=pwned()>\n```',
  '<style>*{background:url(https://evil.example/b)}</style>',
  '<a href="data:text/html,<script>pwned()</script>">x</a>',
  '\u202egnp.exe <details open ontoggle=pwned()>',
]
const ALL = CORPUS.join(' ')
/** Where nothing that strangers wrote stands beside the list of chats. */
const PLAIN = ['/threads', '/']
const NAME = '"><img src=x onerror=pwned()><script>pwned()</script>'

/** A bot that says what a link leads to says what it likes. */
async function previewLinks(s: Stage) {
  const { db } = s.server.ctx as unknown as { db: Updating }
  const watches = { events: ['message_link_shared'], trigger_on: 'unfurl', unfurl_domains: ['example.org'] }
  await db.updateTable('bots').set(watches).where('user_id', '=', s.bot.id).execute()
  const link = 'https://example.org/page'
  const { data } = await s.alice.call(createMessage, {
    body: { message: { entity_id: s.office.id, content: link } },
  })
  const link_previews = { [link]: { title: `preview ${NAME}`, description: ALL } }
  await s.bot.call(createLinkPreviews, { params: { id: data.id }, body: { link_previews } })
  await db
    .updateTable('bots')
    .set({ ...watches, trigger_on: 'all_messages' })
    .where('user_id', '=', s.bot.id)
    .execute()
}

interface Updating {
  updateTable(table: 'bots'): {
    set(values: object): { where(column: 'user_id', is: '=', id: number): { execute(): Promise<unknown> } }
  }
}

test('texts of strangers stay texts', async (t) => {
  const s = await stage(t)
  if (!s) return
  const alice = await s.as(s.alice.id, { session: true })
  await alice.call(updateOwnProfile, { body: { user: { first_name: NAME, last_name: NAME, title: NAME } } })
  await s.alice.call(updateChat, { params: { id: s.office.id }, body: { chat: { name: NAME } } })
  const write = (content: string, more: object = {}) =>
    s.alice.call(createMessage, { body: { message: { entity_id: s.office.id, content, ...more } } })
  for (const text of CORPUS) await write(text)
  const { data: root } = await write(ALL)
  await write(NAME, { parent_message_id: root.id })
  const { data: thread } = await s.alice.call(createThread, { params: { id: root.id } })
  const buttons = [
    [
      { text: NAME.slice(0, 100), data: NAME.slice(0, 100) },
      { text: 'x', url: 'https://evil.example/' },
    ],
  ]
  const display = { display_name: NAME, display_avatar_url: 'https://evil.example/a.png' }
  const from_bot = { entity_id: s.office.id, content: ALL, buttons, ...display }
  await s.bot.call(createMessage, { body: { message: from_bot } })

  await previewLinks(s)

  const ran: string[] = []
  const left: string[] = []
  // High enough for all of them at once.
  const page = await s.open(s.bob, '/', { viewport: { width: 1200, height: 6000 } })
  await page.exposeFunction('pwned', () => ran.push(page.url()))
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(s.url)) left.push(request.url())
  })
  const chat = `/chats/${s.office.id}`
  for (const path of ['/unread', `/search?q=pwned`, chat, `${chat}?thread=${thread.id}`, '/threads', '/']) {
    await page.goto(s.url + path)
    await page.getByRole('navigation', { name: 'Chats' }).getByText(NAME).first().waitFor()
    if (!PLAIN.includes(path)) await page.getByRole('main').getByText('pwned()').first().waitFor()
  }
  await page.goto(s.url + chat)
  const log = page.getByRole('log')
  await log.getByText('<style>*{background:url(https://evil.example/b)}</style>').last().waitFor()
  await log.getByText(`preview ${NAME}`).first().waitFor()
  assert.equal(
    await log.locator('img, script, iframe, style, svg:not(.icon), [onerror], [onload]').count(),
    0,
  )
  const addresses = await log
    .locator('a')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href))
  assert.deepEqual(
    addresses.filter((href) => !/^https?:/.test(href)),
    [],
  )

  await page.locator('form input[type=file]').setInputFiles([
    { name: `invoice\u202egnp.${'long '.repeat(40)}.txt`, mimeType: 'text/plain', buffer: Buffer.from('x') },
    { name: '"><img src=x onerror=pwned()>.txt', mimeType: 'text/plain', buffer: Buffer.from('x') },
  ])
  await page.getByRole('progressbar').first().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const sent = log.locator('a.file')
  await sent.last().waitFor()
  const width = (await log.boundingBox())?.width ?? 0
  for (const link of await sent.all()) {
    assert.match((await link.getAttribute('download')) ?? '', /^(invoice gnp\.|">)/)
    assert.ok(((await link.boundingBox())?.width ?? 0) < width)
  }
  await page.goto(`${s.url}${chat}?panel=files`)
  const panel = page.getByRole('complementary')
  await panel.getByText('<img src=x').waitFor()
  assert.equal(await panel.locator('img').count(), 0)
  const field = page.getByRole('textbox').last()
  await field.fill(ALL)
  await page.reload()
  await untilHolds(field, ALL)
  assert.deepEqual({ ran, left, complaints: s.complaints }, { ran: [], left: [], complaints: [] })
})
