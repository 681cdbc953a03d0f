// What strangers and members can send to hurt a server. Each attack is one round; rounds are repeated while time is left.
import { connect } from 'node:net'

const many = (count, make) => Promise.all(Array.from({ length: count }, (_, n) => make(n)))
const SLOW_OPEN_MS = 5_000

export const CARD = '4111111111111111'

/** `send` calls the API and counts the answer; `member` writes into `room`. */
export function attacksOn({
  send,
  member,
  outsider,
  room,
  botToken,
  inbound,
  slowInbound,
  page,
  picture,
  target,
}) {
  const say = (content, more = {}) =>
    send('POST', '/messages', { token: member, body: { message: { entity_id: room, content }, ...more } })
  const raw = (bytes) =>
    new Promise((resolve) => {
      const socket = connect(target.port, target.host, () => socket.write(bytes))
      socket.on('close', () => resolve()).on('error', () => {})
      socket.resume()
    })

  return {
    'links that are slow to read': () => say(`http://a${'.'.repeat(15_000)}x${')'.repeat(15_000)}`),
    'links by inbound webhook': () =>
      send('POST', inbound, { root: true, body: { message: `http://a${'.('.repeat(9_000)}` } }),
    'lists of a million faults': async () => {
      const blocks = Array.from({ length: 400_000 }, () => 1)
      const view = { title: 't', blocks }
      await send('POST', '/views/open', { token: botToken, body: { type: 'modal', trigger_id: 'x', view } })
      const files = Array.from({ length: 300_000 }, () => ({}))
      await send('POST', '/messages', {
        token: member,
        body: { message: { entity_id: room, content: 'x', files } },
      })
      await send('POST', '/messages', {
        token: botToken,
        body: { message: { entity_id: room, buttons: blocks } },
      })
    },
    'pages that are slow to parse': () => say(`${page}/slow`, { link_preview: true }),
    'previews of inner addresses': () =>
      say(`http://127.0.0.1:${target.port}/metrics`, { link_preview: true }),
    'card numbers behind long texts': () =>
      many(5, () =>
        send('POST', '/messages', {
          token: member,
          body: { message: { entity_id: room, content: `${'letters '.repeat(4_600)}${CARD}` } },
          check: ({ body }) =>
            JSON.stringify(body).includes(CARD) ? 'a card number passed the DLP rule' : null,
        }),
      ),
    'pictures of forty megapixels': () =>
      many(8, () => send('PUT', '/profile/avatar', { token: member, form: { image: picture } })),
    'slow templates': () =>
      many(slowInbound.length, (n) =>
        send('POST', slowInbound[n], { root: true, body: { items: Array(100).fill({}) } }),
      ),
    'a template beside slow ones': () => send('POST', inbound, { root: true, body: { message: 'honest' } }),
    'bodies that never end': () =>
      many(20, (n) => {
        const path = ['/storage/uploads', '/nowhere', '/webhooks/nope', '/v1/messages'][n % 4]
        return new Promise((resolve) => {
          const socket = connect(target.port, target.host, () =>
            socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{`),
          )
          setTimeout(() => resolve(socket.destroy()), SLOW_OPEN_MS)
          socket.on('error', () => {}).resume()
        })
      }),
    'wrong tokens': () => many(100, (n) => send('GET', '/profile', { token: `wrong-${n}` })),
    'wrong passwords': () =>
      many(4, () => send('POST', '/sessions', { body: { email: 'writer0@example.org', password: 'wrong' } })),
    'repeated query names': () => send('GET', `/chats?${'a&'.repeat(7_000)}`, { token: member }),
    'no HTTP at all': () => many(20, () => raw('GET /livez HTTP/9.9\r\nno header\r\n\r\n')),
    'deep and broken JSON': async () => {
      await send('POST', '/messages', { token: member, text: '['.repeat(500_000) })
      await send('POST', '/messages', { token: member, text: '{"message":{"content":"\\ud800' })
    },
    'tokens under an idempotency key': () =>
      send('POST', '/messages', {
        token: member,
        body: { message: { entity_id: room, content: 'once' } },
        headers: { 'Idempotency-Key': 'k'.repeat(300) },
      }),
    'chats of others': () =>
      send('GET', `/messages?chat_id=${room}`, { token: outsider, expect: [403, 404] }),
    'replayed codes': () =>
      many(10, () =>
        send('POST', '/oauth/token', {
          form: { grant_type: 'refresh_token', client_id: 'parley_cli', refresh_token: 'x' },
        }),
      ),
    'deleted texts': async () => {
      const { body } = await say('DELETED-CONTENT')
      if (body?.data) await send('DELETE', `/messages/${body.data.id}`, { token: member })
    },
  }
}
