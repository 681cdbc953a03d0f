import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { createResolve } from './resolve.js'

const TYPE_A = 1
const TYPE_AAAA = 28

/** Longer than any machine takes for an answer that comes. */
const PATIENT_MS = 60_000

/**
 * A name server that knows `fast.example`, refuses `broken.example` and leaves every other name unanswered until `refuseAll`
 * is called.
 */
async function nameServer(t: TestContext) {
  const socket = createSocket('udp4')
  const unanswered: (() => void)[] = []
  let refusing = false
  socket.on('message', (query, { port, address }) => {
    const { name, type } = readQuestion(query)
    const refuse = () => socket.send(fail(query), port, address)
    if (name === 'fast.example') socket.send(answer(query, type), port, address)
    else if (refusing || name === 'broken.example') refuse()
    else unanswered.push(refuse)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  return {
    servers: [`127.0.0.1:${socket.address().port}`],
    refuseAll() {
      refusing = true
      for (const refuse of unanswered) refuse()
    },
  }
}

test('names are resolved to their addresses of both families', { skip: notLinux() }, async (t) => {
  const { servers } = await nameServer(t)
  const resolve = createResolve({ servers, try_ms: PATIENT_MS })
  assert.deepEqual(await resolve('fast.example'), [
    { address: '192.0.2.7', family: 4 },
    { address: '2001:db8::7', family: 6 },
  ])
})

test('names whose servers never answer hold up nobody', { skip: notLinux() }, async (t) => {
  const { servers, refuseAll } = await nameServer(t)
  const resolve = createResolve({ servers, try_ms: PATIENT_MS })
  let stuck = 0
  const waiting = Array.from({ length: 20 }, (_, i) =>
    resolve(`stuck-${i}.example`).catch(() => {
      stuck++
    }),
  )
  await resolve('fast.example')
  await resolve('localhost')
  assert.equal(stuck, 0, 'the others are still waiting')
  refuseAll()
  await Promise.all(waiting)
  assert.equal(stuck, 20)
})

test('a name whose server never answers is given up in the end', { skip: notLinux() }, async (t) => {
  const { servers } = await nameServer(t)
  await assert.rejects(createResolve({ servers, try_ms: 300 })('stuck.example'), { code: 'ETIMEOUT' })
})

test('a server that fails is an error, and the next question is asked anew', {
  skip: notLinux(),
}, async (t) => {
  const { servers } = await nameServer(t)
  const resolve = createResolve({ servers, try_ms: PATIENT_MS })
  await assert.rejects(resolve('broken.example'))
  assert.equal((await resolve('fast.example')).length, 2)
})

test('names of this machine are resolved as the system does', async () => {
  const addresses = (await createResolve({ servers: ['127.0.0.1:1'] })('localhost')).map(
    ({ address }) => address,
  )
  assert(addresses.includes('127.0.0.1') || addresses.includes('::1'))
})

function notLinux() {
  return process.platform === 'linux' ? false : 'elsewhere the system resolves every name'
}

function readQuestion(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function head(query: Buffer, answers: number, code: number) {
  const { end } = readQuestion(query)
  const reply = Buffer.from(query.subarray(0, end))
  reply.writeUInt16BE(0x8180 | code, 2)
  reply.writeUInt16BE(answers, 6)
  reply.writeUInt32BE(0, 8)
  return reply
}

function answer(query: Buffer, type: number) {
  const data = type === TYPE_A ? '\xc0\x00\x02\x07' : `\x20\x01\x0d\xb8${'\0'.repeat(11)}\x07`
  const known = type === TYPE_A || type === TYPE_AAAA
  if (!known) return head(query, 0, 0)
  const record = Buffer.from(
    `\xc0\x0c\0${String.fromCharCode(type)}\0\x01\0\0\0\x3c\0${String.fromCharCode(data.length)}`,
    'latin1',
  )
  return Buffer.concat([head(query, 1, 0), record, Buffer.from(data, 'latin1')])
}

function fail(query: Buffer) {
  return head(query, 0, 2)
}
