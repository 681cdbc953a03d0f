import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { createSmtpMail } from './smtp.js'

interface Received {
  from: string
  to: string[]
  user: string | undefined
  data: string
}

const MESSAGE = { to: 'alice@example.com', subject: 'Код для входа', text: 'Ваш код: 42' }
const FROM = 'Parley <parley@example.com>'

/** A real SMTP server on loopback that lives as long as the test. */
async function start(t: TestContext, options: SMTPServerOptions = {}) {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    async onData(stream, session, done) {
      const data = await text(stream)
      const { mailFrom, rcptTo } = session.envelope
      const from = mailFrom ? mailFrom.address : ''
      received.push({ from, to: rcptTo.map(({ address }) => address), user: session.user, data })
      done()
    },
    ...options,
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.after(() => new Promise<void>((closed) => server.close(closed)))
  return { port: (server.server.address() as AddressInfo).port, received }
}

test('a mail reaches the server with both texts', async (t) => {
  const { port, received } = await start(t)
  const mail = createSmtpMail({ url: `smtp://127.0.0.1:${port}`, from: FROM })

  await mail.send({ ...MESSAGE, html: '<b>42</b>' })

  assert.equal(received.length, 1)
  assert.equal(received[0]!.from, 'parley@example.com')
  assert.deepEqual(received[0]!.to, ['alice@example.com'])
  const { data } = received[0]!
  assert.match(data, /^From: Parley <parley@example\.com>\r$/m)
  assert.match(data, /^To: alice@example\.com\r$/m)
  assert.match(data, /^Subject: =\?UTF-8\?[QB]\?/m)
  assert.match(data, /text\/plain; charset=utf-8/)
  assert.match(data, /<b>42<\/b>/)
})

test('user and password come from the address', async (t) => {
  const { port, received } = await start(t, {
    authOptional: false,
    onAuth({ username, password }, _session, done) {
      if (username === 'robot' && password === 'p@ss') done(null, { user: username })
      else done(new Error('no'))
    },
  })
  await createSmtpMail({ url: `smtp://robot:p%40ss@127.0.0.1:${port}`, from: FROM }).send(MESSAGE)
  assert.equal(received[0]!.user, 'robot')

  const wrong = createSmtpMail({ url: `smtp://robot:wrong@127.0.0.1:${port}`, from: FROM })
  await assert.rejects(wrong.send(MESSAGE))
})

test('one address is one recipient, and headers cannot be smuggled in', async (t) => {
  const { port, received } = await start(t)
  const mail = createSmtpMail({ url: `smtp://127.0.0.1:${port}`, from: FROM })

  await mail.send({ ...MESSAGE, subject: 'hello\r\nBcc: eve@example.com' })
  await mail.send({ ...MESSAGE, to: 'alice@example.com, eve@example.com' }).catch(() => {})

  assert(received.length >= 1)
  for (const { to, data } of received) {
    assert(to.length === 1 && to[0] !== 'eve@example.com', to.join())
    assert.doesNotMatch(data, /^Bcc:/m)
  }
})

test('a server that refuses or is not there fails the sending', async (t) => {
  const { port } = await start(t, { onRcptTo: (_address, _session, done) => done(new Error('unknown user')) })
  await assert.rejects(createSmtpMail({ url: `smtp://127.0.0.1:${port}`, from: FROM }).send(MESSAGE))

  const gone = createServer().listen(0, '127.0.0.1')
  await once(gone, 'listening')
  const free = (gone.address() as AddressInfo).port
  gone.close()
  await once(gone, 'close')
  await assert.rejects(createSmtpMail({ url: `smtp://127.0.0.1:${free}`, from: FROM }).send(MESSAGE))
})
