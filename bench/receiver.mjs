// A receiver of webhooks in a process of its own. The path says how it behaves and whose it is: /ok/17, /hang/17 …
import { createServer } from 'node:http'

const seen = []
let count = 0

const answers = {
  ok: (response) => response.end('ok'),
  fail: (response) => response.writeHead(500).end(),
  hang: () => {},
  reset: (response) => response.socket.destroy(),
  redirect: (response) => response.writeHead(302, { Location: '/ok/0' }).end(),
  gone: (response) => response.writeHead(410).end(),
  busy: (response) => response.writeHead(429, { 'Retry-After': '1' }).end(),
  unavailable: (response) => response.writeHead(503, { 'Retry-After': '1' }).end(),
}

const server = createServer((request, response) => {
  const at = performance.timeOrigin + performance.now()
  const [, word, bot] = request.url.split('/')
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    count += 1
    if (recording) {
      const { id, chat_id } = JSON.parse(Buffer.concat(chunks).toString())
      seen.push([Number(bot), chat_id, id, at, word])
    }
    ;(answers[word] ?? answers.ok)(response)
  })
})
let recording = true

process.on('message', (message) => {
  if (message === 'report') process.send({ seen })
  if (message === 'count') process.send({ count })
  if (message === 'forget') {
    seen.length = 0
    count = 0
    process.send({ forgotten: true })
  }
  if (message === 'count only') {
    recording = false
    process.send({ recording })
  }
})
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
