// What strangers and members can send to hurt a server. Each attack is one round, repeated while time is left, and says what must
// hold: every answer is checked, `within_ms` is the longest that one may take, and `after` looks once all rounds are over.
import { connect } from 'node:net'
import { storedAttacks } from './stored.mjs'

const many = (count, make) => Promise.all(Array.from({ length: count }, (_, n) => make(n)))
const SLOW_OPEN_MS = 5_000
/** The server ends a body that is not there after a minute. */
const ENDED_MS = 75_000
const REFUSED = [400, 413, 422]

export const CARD = '4111111111111111'

function requestAttacks(stage) {
  const { send, member, outsider, room, botToken, inbound, slowInbound, page, picture, target } = stage
  const say = (content, more = {}) =>
    send('POST', '/messages', { token: member, body: { message: { entity_id: room, content }, ...more } })
  const raw = (bytes) =>
    new Promise((resolve) => {
      const socket = connect(target.port, target.host, () => socket.write(bytes))
      socket.on('close', () => resolve()).on('error', () => {})
      socket.resume()
    })
  const unfinished = (path) => {
    const socket = connect(target.port, target.host, () =>
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{`),
    )
    socket.on('error', () => {}).resume()
    return socket
  }
  const opened = performance.now()
  const left = ['/storage/uploads', '/nowhere', '/webhooks/nope'].map(unfinished)

  return {
    'links that are slow to read': {
      must: 'every event is placed and none set aside',
      round: () => say(`http://a${'.'.repeat(15_000)}x${')'.repeat(15_000)}`),
    },
    'links by inbound webhook': {
      must: 'every event is placed and none set aside',
      round: () => send('POST', inbound, { root: true, body: { message: `http://a${'.('.repeat(9_000)}` } }),
    },
    'lists of a million faults': {
      must: 'the body is refused',
      async round() {
        const blocks = Array.from({ length: 400_000 }, () => 1)
        const view = { title: 't', blocks }
        const bodies = [
          ['/views/open', botToken, { type: 'modal', trigger_id: 'x', view }],
          [
            '/messages',
            member,
            { message: { entity_id: room, content: 'x', files: blocks.slice(1e5).map(() => ({})) } },
          ],
          ['/messages', botToken, { message: { entity_id: room, buttons: blocks } }],
        ]
        for (const [path, token, body] of bodies) await send('POST', path, { token, body, expect: REFUSED })
      },
    },
    'pages that are slow to parse': {
      must: 'the server goes on meanwhile',
      round: () => say(`${page}/slow`, { link_preview: true }),
    },
    'card numbers behind long texts': {
      must: 'no card number is stored',
      round: () =>
        many(5, () =>
          send('POST', '/messages', {
            token: member,
            body: { message: { entity_id: room, content: `${'letters '.repeat(4_600)}${CARD}` } },
          }),
        ),
    },
    'pictures of forty megapixels': {
      must: 'the server goes on meanwhile',
      round: () => many(8, () => send('PUT', '/profile/avatar', { token: member, form: { image: picture } })),
    },
    'slow templates': {
      must: 'the server goes on meanwhile',
      round: () =>
        many(slowInbound.length, (n) =>
          send('POST', slowInbound[n], { root: true, body: { items: Array(100).fill({}) } }),
        ),
    },
    'a template beside slow ones': {
      must: 'it is not held up',
      within_ms: 15_000,
      round: () => send('POST', inbound, { root: true, body: { message: 'honest' } }),
    },
    'bodies that never end': {
      must: 'the server ends them within 75 s',
      round: () =>
        many(20, async (n) => {
          const socket = unfinished(['/storage/uploads', '/nowhere', '/webhooks/nope', '/v1/messages'][n % 4])
          await new Promise((resolve) => setTimeout(resolve, SLOW_OPEN_MS))
          socket.destroy()
        }),
      async after() {
        while (left.some(({ destroyed }) => !destroyed) && performance.now() - opened < ENDED_MS)
          await new Promise((resolve) => setTimeout(resolve, 250))
        return left.every(({ destroyed }) => destroyed) ? null : 'a body without an end is still waited for'
      },
    },
    'wrong tokens': {
      must: 'they are refused',
      round: () => many(100, (n) => send('GET', '/profile', { token: `wrong-${n}`, expect: [401] })),
    },
    'wrong passwords': {
      must: 'they are refused',
      round: () =>
        many(4, () =>
          send('POST', '/sessions', {
            body: { email: 'writer0@example.org', password: 'wrong' },
            expect: [401, 403, 422, 429],
          }),
        ),
    },
    'repeated query names': {
      must: 'the server goes on meanwhile',
      round: () => send('GET', `/chats?${'a&'.repeat(7_000)}`, { token: member }),
    },
    'no HTTP at all': {
      must: 'the connection is ended',
      round: () => many(20, () => raw('GET /livez HTTP/9.9\r\nno header\r\n\r\n')),
    },
    'deep and broken JSON': {
      must: 'the body is refused',
      async round() {
        for (const text of ['['.repeat(500_000), '{"message":{"content":"\\ud800'])
          await send('POST', '/messages', { token: member, text, expect: REFUSED })
      },
    },
    'chats of others': {
      must: 'they are refused',
      round: () => send('GET', `/messages?chat_id=${room}`, { token: outsider, expect: [403, 404] }),
    },
    'refresh tokens that are none': {
      must: 'they are refused',
      round: () =>
        many(10, () =>
          send('POST', '/oauth/token', {
            form: { grant_type: 'refresh_token', client_id: 'parley_cli', refresh_token: 'x' },
            expect: [400, 401],
          }),
        ),
    },
  }
}

/** `send` calls the API and counts the answer; `member` writes into `room`. */
export const attacksOn = (stage) => ({ ...requestAttacks(stage), ...storedAttacks({ ...stage, card: CARD }) })
