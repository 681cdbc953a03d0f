// The process that listens: live streams of many people, and how long after its event each message came.
import { connect } from 'node:net'

const MESSAGE = 'event: message.created'
const CREATED = /"created_at":"([^"]+)"/
const streams = []
let lags = []
let lost = 0

function note(frame) {
  const at = frame.indexOf(MESSAGE)
  const created = at < 0 ? null : CREATED.exec(frame.slice(at))
  if (created) lags.push(Date.now() - Date.parse(created[1]))
}

/** Resolves when the stream says that it is ready. */
function open({ host, port }, token) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true })
    let rest = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      const frames = (rest + chunk).split('\n\n')
      rest = frames.pop()
      for (const frame of frames) {
        if (frame.includes('event: ready')) resolve()
        note(frame)
      }
    })
    socket.once('error', reject)
    socket.once('close', () => {
      lost += 1
      reject(new Error('the server closed a stream'))
    })
    socket.write(`GET /v1/live HTTP/1.1\r\nHost: ${host}:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    streams.push(socket)
  })
}

function take() {
  const sorted = lags.sort((a, b) => a - b)
  lags = []
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null
  return { count: sorted.length, p50_ms: at(0.5), p99_ms: at(0.99), lost }
}

process.on('message', async ({ target, tokens = [] }) => {
  try {
    for (const token of tokens) await open(target, token)
    process.send(take())
  } catch (error) {
    process.send({ error: String(error) })
  }
})
process.on('disconnect', () => process.exit(0))
