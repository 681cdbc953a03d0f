// The table: each figure, its base, the goal, and whether it is met.

const whole = (value) =>
  value === null || value === undefined ? '–' : Math.round(value).toLocaleString('en').replaceAll(',', ' ')
const tenth = (value) => (value === null || value === undefined ? '–' : value.toFixed(value < 10 ? 1 : 0))
const ratio = (value) => (Number.isFinite(value) ? value.toFixed(2) : '–')

const speed = (entry) =>
  `${whole(entry.per_second)} /s, p50 ${tenth(entry.p50_ms)}, p99 ${tenth(entry.p99_ms)} ms`

function row(figure, value, beside, goal, checks, entries) {
  const met = checks.every((check) => check === true)
  const calm = entries.every((entry) => entry.clean !== false)
  const foreign = Math.max(...entries.map((entry) => entry.foreign ?? 0))
  return { figure, value, beside, goal, met, calm, foreign: Math.round(foreign * 100) }
}

const against = (name, own, other) =>
  `${name} ${whole(other.per_second)} /s: ${ratio(own.per_second / other.per_second)} ×`

function postRows({ post, bare_post, post_statement, post_one_chat }) {
  const share = post.per_second / bare_post.per_second
  const statement = post.per_second / post_statement.per_second
  return [
    row(
      'POST /messages, 1 000 chats, every tenth with a bot',
      speed(post),
      `${against('bare node:http', post, bare_post)}; ${against('bare statement', post, post_statement)}`,
      '≥ 0.20 ×; ≥ 0.7 ×; p99 ≤ 25 ms',
      [share >= 0.2, statement >= 0.7, post.p99_ms <= 25],
      [post, bare_post, post_statement],
    ),
    row(
      'POST /messages, all writers in one chat',
      speed(post_one_chat),
      against('1 000 chats', post_one_chat, post),
      '≥ 0.8 ×',
      [post_one_chat.per_second / post.per_second >= 0.8],
      [post, post_one_chat],
    ),
  ]
}

function pageRows({ latest, bare_get, deep, deep_statement }) {
  return [
    row(
      'GET /messages, latest 50',
      speed(latest),
      against('bare node:http, same bytes', latest, bare_get),
      '≥ 0.25 ×',
      [latest.per_second / bare_get.per_second >= 0.25],
      [latest, bare_get],
    ),
    row(
      'GET /messages, deep page by cursor',
      speed(deep),
      against('bare query', deep, deep_statement),
      '≥ 0.5 ×',
      [deep.per_second / deep_statement.per_second >= 0.5],
      [deep, deep_statement],
    ),
  ]
}

function steadyRows(figures, messages) {
  const names = {
    chats: 'GET /chats',
    chat: 'GET /chats/{id}',
    users: 'GET /users',
    search: 'GET /search/messages',
  }
  return Object.entries(names).map(([key, name]) => {
    const entry = figures[key]
    const goal = key === 'search' ? 100 : 30
    const value =
      entry.failed > 0
        ? `${entry.failed} refused (${Object.keys(entry.failures)})`
        : `p50 ${tenth(entry.p50_ms)}, p99 ${tenth(entry.p99_ms)} ms`
    return row(
      `${name} at 200 /s`,
      value,
      `${whole(messages)} messages`,
      `p99 ≤ ${goal} ms`,
      [entry.failed === 0, entry.p99_ms <= goal],
      [entry],
    )
  })
}

function hookRows({ hook_latency, hooks, bare_hooks }) {
  return [
    row(
      'webhook: message written → first byte, 100 events/s',
      `p50 ${tenth(hook_latency.p50_ms)}, p99 ${tenth(hook_latency.p99_ms)} ms`,
      `${whole(hook_latency.count)} events`,
      'p50 ≤ 15, p99 ≤ 100 ms',
      [hook_latency.p50_ms <= 15, hook_latency.p99_ms <= 100],
      [hook_latency],
    ),
    row(
      'webhooks to a fast receiver, 100 bots',
      `${whole(hooks.per_second)} /s`,
      against('bare undici', hooks, bare_hooks),
      '≥ 0.5 ×',
      [hooks.failed === 0, hooks.per_second / bare_hooks.per_second >= 0.5],
      [hooks, bare_hooks],
    ),
  ]
}

function spaceRows({ idle, loaded, disk }) {
  const memory = ({ server_mb }) => `${whole(server_mb)} MB`
  const tree = ({ tree_mb }) => `whole tree with database ${whole(tree_mb)} MB`
  return [
    row('memory of the server, idle', memory(idle), tree(idle), '≤ 130 MB', [idle.server_mb <= 130], []),
    row(
      'memory of the server, loaded',
      memory(loaded),
      tree(loaded),
      '≤ 350 MB',
      [loaded.server_mb <= 350],
      [],
    ),
    row(
      'disk for 1 M messages',
      `${(disk.total_mb / 1024).toFixed(2)} GB`,
      Object.entries(disk.tables_mb)
        .map(([name, mb]) => `${name} ${whole(mb)} MB`)
        .join(', '),
      '≤ 0.9 GB',
      [disk.total_mb <= 0.9 * 1024],
      [],
    ),
  ]
}

function peerRows({ peers = {}, post }) {
  const goals = { emulate: 1.5, ejabberd: 3 }
  return Object.entries(peers).map(([name, peer]) => {
    if (peer.skipped) return row(`peer: ${name}`, 'skipped', peer.skipped, `≥ ${goals[name]} ×`, [false], [])
    const times = post.per_second / peer.per_second
    return row(
      `peer: ${name}`,
      speed(peer),
      `ours: ${ratio(times)} ×`,
      `≥ ${goals[name]} ×`,
      [times >= goals[name]],
      [peer, post],
    )
  })
}

export function goalRows(figures) {
  return [
    ...postRows(figures),
    ...pageRows(figures),
    ...steadyRows(figures, figures.messages),
    ...hookRows(figures),
    ...spaceRows(figures),
    ...peerRows(figures),
  ].map((entry) => ({ ...entry, foreign: Number.isFinite(entry.foreign) ? entry.foreign : 0 }))
}
