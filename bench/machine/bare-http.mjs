// The least a Node server can do: reads what comes and answers with bytes that are ready.
import { createServer } from 'node:http'

const answers = { POST: Buffer.from('{}'), GET: Buffer.from('{}') }
const headers = (body) => ({
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': body.length,
})

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, headers(answers.GET))
    return response.end(answers.GET)
  }
  const parts = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => {
    Buffer.concat(parts)
    response.writeHead(201, headers(answers.POST))
    response.end(answers.POST)
  })
})

process.on('message', ({ get, post }) => {
  if (get) answers.GET = Buffer.from(get)
  if (post) answers.POST = Buffer.from(post)
  process.send({ port: server.address()?.port })
})
process.on('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1')
