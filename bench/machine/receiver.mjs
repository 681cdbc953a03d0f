// A receiver of webhooks that answers at once, on a raw socket, and notes when the first byte of each came.
import { createServer } from 'node:net'

const ANSWER = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
const HEAD_END = Buffer.from('\r\n\r\n')
let count = 0
let first_at = 0
let last_at = 0
let keep = false
let lags = []
let sample

const now = () => performance.timeOrigin + performance.now()

function note(body, at) {
  count += 1
  first_at ||= at
  last_at = at
  sample ??= body.toString()
  if (!keep) return
  const { created_at } = JSON.parse(body)
  lags.push(at - Date.parse(created_at))
}

const server = createServer({ noDelay: true }, (socket) => {
  let held
  let began = 0
  socket.on('data', (chunk) => {
    if (!held) began = now()
    let data = held ? Buffer.concat([held, chunk]) : chunk
    held = undefined
    while (data.length > 0) {
      const end = data.indexOf(HEAD_END)
      const head = end < 0 ? '' : data.latin1Slice(0, end)
      const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0)
      if (end < 0 || data.length < end + 4 + length) {
        held = data
        return
      }
      note(data.subarray(end + 4, end + 4 + length), began)
      socket.write(ANSWER)
      data = data.subarray(end + 4 + length)
    }
  })
  socket.on('error', () => socket.destroy())
})

process.on('message', (message) => {
  if (message.reset) {
    count = first_at = last_at = 0
    lags = []
    keep = message.keep ?? false
    sample = undefined
  }
  process.send({
    port: server.address().port,
    count,
    first_at,
    last_at,
    lags: message.lags ? lags : undefined,
    sample,
  })
})
process.on('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1')
