import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createOutboxMail } from './outbox.js'

async function start(t: TestContext) {
  const parent = await mkdtemp(join(tmpdir(), 'mail-'))
  t.after(() => rm(parent, { recursive: true, force: true }))
  const clock = { at_ms: 1_768_478_400_000, now: () => clock.at_ms }
  const folder = join(parent, 'outbox')
  return { mail: createOutboxMail({ folder, clock }), clock, folder }
}

test('mail is kept in the order in which it was sent', async (t) => {
  const { mail, clock } = await start(t)
  assert.deepEqual(await mail.list(), [])

  for (let i = 0; i < 12; i++) await mail.send({ to: 'a@example.com', subject: `number ${i}`, text: '' })
  clock.at_ms += 1
  await mail.send({ to: 'b@example.com', subject: 'last', text: 'end' })

  const sent = await mail.list()
  assert.deepEqual(
    sent.map(({ subject }) => subject),
    [...Array.from({ length: 12 }, (_, i) => `number ${i}`), 'last'],
  )
  assert.deepEqual(sent.at(-1), {
    to: 'b@example.com',
    subject: 'last',
    text: 'end',
    at: new Date(clock.at_ms),
  })
})

test('texts come back as they were sent', async (t) => {
  const { mail } = await start(t)
  const texts = ['', '\n', 'одна\nдве\r\n\r\nтри\r\n', '--\r\n-- \r\nSubject: none\r\n', '🎉\u2028<b>']
  for (const text of texts) {
    await mail.send({ to: 'a@example.com', subject: 'Код для входа: 42', text, html: '<p>--</p>' })
  }
  const sent = await mail.list()
  assert.deepEqual(
    sent.map(({ text }) => text),
    texts,
  )
  assert.equal(sent[0]!.subject, 'Код для входа: 42')
})

test('a subject stays in its line', async (t) => {
  const { mail } = await start(t)
  await mail.send({ to: 'a@example.com', subject: 'one\r\nTo: evil@example.com\u2028two', text: '' })
  const [sent] = await mail.list()
  assert.equal(sent!.to, 'a@example.com')
  assert.equal(sent!.subject, 'one To: evil@example.com two')
})

test('a file has the head of a mail and both texts', async (t) => {
  const { mail, folder } = await start(t)
  await mail.send({ to: 'a@example.com', subject: 'hello', text: 'plain', html: '<b>rich</b>' })
  const names = await readdir(folder)
  const file = await readFile(join(folder, names[0]!), 'utf8')

  assert.equal(names.length, 1)
  assert.match(names[0]!, /\.eml$/)
  assert.match(file, /^To: a@example\.com\r\nSubject: hello\r\nDate: /)
  assert.match(file, /\r\nplain\r\n/)
  assert.match(file, /\r\n<b>rich<\/b>\r\n/)
})

test('other accounts of the host can neither list nor read the mail', async (t) => {
  const { mail, folder } = await start(t)
  await mkdir(folder, { mode: 0o755 })
  await mail.send({ to: 'a@example.com', subject: 'Invitation', text: 'a link' })
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
  const [name] = await readdir(folder)
  assert.equal((await stat(join(folder, name!))).mode & 0o777, 0o600)
})
