// One keep-alive HTTP/1.1 connection on a raw socket: it sends ready bytes and reads one answer at a time.
import { connect } from 'node:net'

const HEAD_END = Buffer.from('\r\n\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

const CHUNKED = /^transfer-encoding: *chunked/im

function lengthOf(head) {
  const at = head.toLowerCase().indexOf('\r\ncontent-length:')
  return at < 0 ? 0 : Number.parseInt(head.slice(at + 17), 10)
}

/** Opens a connection; `send(bytes, answered)` may be called again once `answered(status, body)` was. */
export function openConnection({ host, port }) {
  const socket = connect({ host, port, noDelay: true })
  let answered
  let parts = []
  let missing = 0
  let status = 0
  let start = 0

  function finish(body) {
    const done = answered
    answered = undefined
    parts = []
    missing = 0
    done?.(status, body)
  }

  socket.on('data', (chunk) => {
    if (missing > 0) {
      parts.push(chunk)
      missing -= chunk.length
      if (missing <= 0) finish(Buffer.concat(parts).subarray(start))
      return
    }
    const data = parts.length > 0 ? Buffer.concat([...parts, chunk]) : chunk
    const end = data.indexOf(HEAD_END)
    if (end < 0) {
      parts = [data]
      return
    }
    const head = data.latin1Slice(0, end)
    status = (head.charCodeAt(9) - 48) * 100 + (head.charCodeAt(10) - 48) * 10 + head.charCodeAt(11) - 48
    if (CHUNKED.test(head)) {
      if (data.subarray(-5).equals(LAST_CHUNK)) return finish(data.subarray(end + 4))
      parts = [data]
      return
    }
    const whole = end + 4 + lengthOf(head)
    if (data.length >= whole) return finish(data.subarray(end + 4, whole))
    parts = [data]
    start = end + 4
    missing = whole - data.length
  })
  const lost = () => {
    status = 0
    finish(Buffer.alloc(0))
  }
  socket.on('error', lost)
  socket.on('close', lost)

  return {
    ready: new Promise((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    }),
    send(bytes, done) {
      answered = done
      if (socket.destroyed) return setImmediate(lost)
      socket.write(bytes)
    },
    close: () => socket.destroy(),
  }
}

const BOUNDARY = 'a-boundary-of-the-measurement'

/** A form with a file at its end. */
function formBytes({ method, path, form }, { host, port }) {
  const part = (name, rest) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n`
  const fields = Object.entries(form.fields).map(([name, value]) => part(name, `\r\n\r\n${value}`))
  const head = `${fields.join('')}${part('file', '; filename="file.bin"\r\n')}`
  const body = Buffer.concat(
    [head, Buffer.alloc(form.bytes, 'x'), `\r\n--${BOUNDARY}--\r\n`].map((part) => Buffer.from(part)),
  )
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}:${port}`,
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    `Content-Length: ${body.length}`,
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body])
}

/** The bytes of a request. */
export function requestBytes(request, { host, port }) {
  if (request.form) return formBytes(request, { host, port })
  const { method, path, token, body } = request
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}:${port}`]
  if (token) lines.push(`Authorization: Bearer ${token}`)
  if (text) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`)
}
