import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { getUploadParams, OPERATIONS, type Operation } from '@parley/contract'
import { startSandbox } from './sandbox/start.js'
import { fillsOf, type Schema } from './testing/fill-texts.js'
import { postForm } from './testing/upload.js'
import { watchLivez } from './testing/watch-livez.js'
import { type World, world } from './testing/world.js'

const SLOWEST_MS = 250
const TRIES = 8
/** Work that takes too long does so every time; collecting garbage meanwhile does not. */
const TRIES_OF_WORK = 3
const USUAL = 40_000
/** Quadratic work on a quarter of a megabyte takes a minute, so that a usual run finds it too. */
const LARGEST = process.env.PARLEY_TEXTS === 'all' ? 1_000_000 : 250_000
const IN_ADDRESS = 12_000
/** `PARLEY_TEXTS=all` sends every pattern everywhere; a usual run gives each place one by turns, and a message all. */
const ALL = process.env.PARLEY_TEXTS === 'all'
const LARGE_PLACES = ALL ? 2 : 1

/** What regular expressions, parsers and validators stumble over, as long as asked. */
const PATTERNS: ((length: number) => string)[] = [
  (n) => `http://a${'.'.repeat(n / 2 - 10)}x${')'.repeat(n / 2)}`,
  (n) => `${'['.repeat(n - 20)}](http://x`,
  (n) => '*_~`\n'.repeat(n / 5),
  (n) => `${' '.repeat(n - 1)}x`,
  (n) => '<@1@a.'.repeat(n / 6),
  (n) => 'e\u0301'.repeat(n / 3),
  (n) => '{{#a}}{%'.repeat(n / 8),
  (n) => '0'.repeat(n),
]

/** Somewhere that a text can be sent to. */
interface Place {
  name: string
  /** The longest text that fits. */
  most: number
  send(text: string): Promise<unknown>
}

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

/** The body in a media type; what is a file becomes one, with the text as its name too. */
function encode(media: string, body: unknown, schema: Schema): RequestInit {
  if (media === JSON_TYPE) return { body: JSON.stringify(body), headers: { 'Content-Type': media } }
  const fields = Object.entries(body as Record<string, unknown>).map(([name, value]) => [name, String(value)])
  if (media === FORM) return { body: new URLSearchParams(fields as [string, string][]) }
  const form = new FormData()
  for (const [name, value] of fields as [string, string][]) {
    const binary = schema.properties?.[name]?.format === 'binary'
    if (binary) form.set(name, new Blob([value], { type: 'image/png' }), value.slice(0, USUAL))
    else form.set(name, value)
  }
  return { body: form }
}

function inAddress(text: string): string {
  return encodeURIComponent(text).slice(0, IN_ADDRESS).replace(/%\w?$/, '')
}

function textsInQuery({ query }: Operation): string[] {
  return Object.entries((query?.properties ?? {}) as Record<string, Schema>)
    .filter(([, { type, enum: words }]) => type === 'string' && !words)
    .map(([name]) => name)
}

/** Sends to operations as somebody who may call them, and counts what comes back. */
function createSender(tokenOf: (operation: Operation) => Promise<string>) {
  const tokens = new Map<Operation, string>()
  const statuses = new Map<number, number>()

  async function once(operation: Operation, address: string, init: RequestInit) {
    const token = tokens.get(operation) ?? (operation.roles.length > 0 ? await tokenOf(operation) : '')
    tokens.set(operation, token)
    const headers = { ...init.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) }
    const signal = AbortSignal.timeout(30_000)
    const answer = await fetch(address, {
      method: operation.method,
      redirect: 'manual',
      ...init,
      headers,
      signal,
    })
    if (!answer.headers.get('content-type')?.includes('event-stream')) await answer.arrayBuffer()
    else await answer.body?.cancel()
    return answer.status
  }

  async function send(operation: Operation, address: string, init: RequestInit = {}) {
    let status = await once(operation, address, init)
    // Some operations end the session that calls them.
    if (status === 401 && tokens.delete(operation)) status = await once(operation, address, init)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    assert.ok(status < 500, `${operation.id}: ${status}`)
    if (operation.roles.length > 0) assert.notEqual(status, 401, `${operation.id} was not admitted`)
  }
  return { send, statuses }
}

type Send = ReturnType<typeof createSender>['send']

/** Every text that the contract knows of an operation: in its path, its query and its body, in each of its media types. */
function placesOf(operation: Operation, addressOf: (text?: string) => string, send: Send, id: number) {
  const { body, media = [JSON_TYPE] } = operation
  const schema = (body ?? {}) as Schema
  const places: Place[] = media.flatMap((type) =>
    fillsOf(schema, id).map((fill) => ({
      name: type,
      // Escapes make a form three times as long.
      most: type === FORM ? LARGEST / 3 : LARGEST,
      send: (text) => send(operation, addressOf(), encode(type, fill(text), schema)),
    })),
  )
  const empty = body && { body: '{}', headers: { 'Content-Type': JSON_TYPE } }
  for (const name of textsInQuery(operation)) {
    const address = (text: string) => `${addressOf()}?${name}=${inAddress(text)}`
    places.push({ name: `?${name}`, most: IN_ADDRESS, send: (text) => send(operation, address(text), empty) })
  }
  if (/\{\w+\}/.test(operation.path.replaceAll(/\{\w*id\}/g, '')))
    places.push({ name: 'path', most: IN_ADDRESS, send: (text) => send(operation, addressOf(text), empty) })
  return places
}

/** What the contract does not describe: forms of pages, the form of an upload, posts of known services, headers. */
async function furtherPlaces(scene: World, send: Send, inbound: string): Promise<[Operation, Place[]][]> {
  const { url, alice } = scene
  const byId = (id: string) => OPERATIONS.find((operation) => operation.id === id) as Operation
  const page = byId('answerAuthorizePage')
  const fields = ['form_token', 'step', 'email', 'password', 'user_code', 'answer']
  const forms = fields.map(
    (name): Place => ({
      name,
      most: LARGEST / 3,
      send: (text) =>
        send(page, `${url}/apps/authorize`, { body: new URLSearchParams({ step: 'sign-in', [name]: text }) }),
    }),
  )
  const upload = byId('uploadFile')
  const params = await alice.call(getUploadParams)
  const uploads = [...Object.keys(params).filter((name) => name !== 'direct_url'), 'file'].map(
    (name): Place => ({
      name,
      most: LARGEST,
      async send(text) {
        const file = name === 'file' ? text : 'x'
        const { status } = await postForm({ ...params, [name]: text } as never, file, file.slice(0, USUAL))
        assert.ok(status < 500, `uploadFile: ${status}`)
      },
    }),
  )
  const hook = byId('postInboundWebhook')
  const post = (body: (text: string) => object): Place => ({
    name: 'push',
    most: LARGEST,
    send: (text) =>
      send(hook, inbound, {
        body: JSON.stringify(body(text)),
        headers: { 'Content-Type': JSON_TYPE, 'X-Gitlab-Event': 'Push Hook' },
      }),
  })
  const hooks = [
    post((title) => ({ object_kind: 'push', ref: 'refs/heads/main', commits: [{ title, url: 'http://x' }] })),
    post((ref) => ({ object_kind: 'push', ref, user_name: ref, project: { web_url: ref } })),
    post((text) => ({ [text]: text })),
  ]
  const preview: Place = {
    name: 'with a preview',
    most: USUAL,
    send: (content) =>
      send(byId('createMessage'), `${url}/v1/messages`, {
        body: JSON.stringify({ message: { entity_id: scene.office.id, content }, link_preview: true }),
        headers: { 'Content-Type': JSON_TYPE },
      }),
  }
  const profile = byId('getProfile')
  const names = ['User-Agent', 'Cookie', 'Accept-Encoding', 'X-Request-Id', 'X-Forwarded-For', 'Range']
  const headers = [...names, 'If-None-Match', 'Idempotency-Key', 'Last-Event-ID', 'Content-Type'].map(
    (name): Place => ({
      name,
      most: IN_ADDRESS,
      send: (text) =>
        send(profile, `${url}/v1/profile`, { headers: { [name]: text.replaceAll(/[^ -~]/g, '!') } }),
    }),
  )
  return [
    [page, forms],
    [upload, uploads],
    [hook, hooks],
    [byId('createMessage'), [preview]],
    [profile, headers],
  ]
}

/** Collects what stalls `/livez`, apart from what the machine adds to its wait. */
function createDemand(t: TestContext, url: string) {
  const livez = watchLivez(t, url)
  const stalls: string[] = []
  const isCalm = async (work: () => Promise<unknown>) => (await livez.during(work)).own_ms <= SLOWEST_MS
  async function demand(name: string, work: () => Promise<unknown>) {
    for (let tries = 1; ; tries += 1) {
      const { own_ms, worked_ms } = await livez.during(work)
      if (own_ms <= SLOWEST_MS) return
      // A server that waits without working shows it every time; other work on the machine does not.
      if (tries < (worked_ms <= SLOWEST_MS ? TRIES : TRIES_OF_WORK)) continue
      stalls.push(`${name}: ${own_ms} ms, of which it worked ${worked_ms} ms`)
      return
    }
  }
  return { isCalm, demand, stalls }
}

type Demand = ReturnType<typeof createDemand>

/** The patterns into every place; then a megabyte of each pattern by turns, into places that take as much. */
function textsFor({ id }: Operation, places: Place[], turn: number): Attempt[] {
  const share = ALL || id === 'createMessage' ? 1 : PATTERNS.length
  const usual = PATTERNS.map((pattern, number) => ({
    name: `pattern ${number}`,
    async run() {
      for (const [place, { most, send }] of places.entries())
        if ((number + place + turn) % share === 0) await send(pattern(Math.min(most, USUAL)))
    },
  }))
  const large = places.filter(({ most }) => most > USUAL)
  const step = Math.ceil(large.length / LARGE_PLACES)
  const longest = large
    .filter((_, place) => place % step === 0)
    .map(({ name, most, send }, place) => {
      const number = (turn + place) % PATTERNS.length
      return {
        name: `${name}, pattern ${number}, ${most} bytes`,
        run: () => send(PATTERNS[number]?.(most) ?? ''),
      }
    })
  return [...usual, ...longest]
}

interface Attempt {
  name: string
  run(): Promise<unknown>
}

/** All texts of an operation at once; where they stall, one by one, to find the text. */
async function attack({ isCalm, demand }: Demand, operation: Operation, places: Place[], turn: number) {
  if (places.length === 0) return
  const attempts = textsFor(operation, places, turn)
  const calm = await isCalm(async () => {
    for (const { run } of attempts) await run()
  })
  if (calm) return
  for (const { name, run } of attempts) await demand(`${operation.id}, ${name}`, run)
}

/** Lets everything that reads texts read them: links for a bot, rules, and posts of a repository. */
async function readTexts({ ctx, bot, listen }: World) {
  await listen(bot, ['message_new', 'message_update', 'message_link_shared'])
  await ctx.db
    .updateTable('bots')
    .set({ kind: 'gitlab', unfurl_domains: ['example.org'] })
    .execute()
  const conditions = { any: [{ type: 'regex', pattern: '\\b(?:\\d[ -]?){15}\\d\\b' }] }
  const body = JSON.stringify({ conditions, action: { type: 'AUDIT_LOG' } })
  const at = new Date(ctx.clock.now())
  const rule = { name: 'cards', priority: 1, enabled: true, body, created_at: at, updated_at: at }
  await ctx.db.insertInto('dlp_rules').values(rule).execute()
}

test('no text in any field of any operation stalls the server', { timeout: 900_000 }, async (t) => {
  const scene = await world(t, { working: true })
  const { url, ctx, owner, office, alice, bot, as } = scene
  await readTexts(scene)
  const { inbound_key } = await ctx.db.selectFrom('bots').select('inbound_key').executeTakeFirstOrThrow()
  const { send, statuses } = createSender(async ({ roles }) => {
    if (!roles.some((role) => role !== 'bot')) return bot.token
    // Alice is in the chat and made the bot; the owner does what she may not.
    return (await as(roles.includes('user') ? alice.id : owner.id, { session: true })).token
  })
  const posted = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${alice.token}`, 'Content-Type': JSON_TYPE },
    body: JSON.stringify({ message: { entity_id: office.id, content: 'hi' } }),
  })
  const { data } = (await posted.json()) as { data: { id: number } }
  const ids: [RegExp, number][] = [
    [/^\/chats|^\/exports/, office.id],
    [/^\/messages|^\/threads/, data.id],
    [/^\/(users|personal)/, alice.id],
    [/^\/(bots|webhooks)/, bot.id],
  ]
  const addressOf = ({ path, root }: Operation, text = 'x') => {
    const id = ids.find(([start]) => start.test(path))?.[1] ?? 1
    const named = path.replaceAll(/\{\w*id\}/g, String(id)).replace('{webhook_key}', inbound_key ?? '')
    return `${url}${root ? '' : '/v1'}${named.replaceAll(/\{\w+\}/g, inAddress(text))}`
  }

  const demand = createDemand(t, url)
  const further = await furtherPlaces(scene, send, `${url}/webhooks/${inbound_key}`)
  const here = OPERATIONS.filter(({ external, sandbox }) => !external && !sandbox)
  const known = here.map((operation): [Operation, Place[]] => [
    operation,
    placesOf(operation, (text) => addressOf(operation, text), send, office.id),
  ])
  const all = [...known, ...further]
  for (const area of new Set(all.map(([{ area }]) => area)))
    await t.test(area, async () => {
      for (const [turn, [operation, places]] of all.entries())
        if (operation.area === area) await attack(demand, operation, places, turn)
      assert.deepEqual(demand.stalls.splice(0), [])
    })
  const { count } = await ctx.db
    .selectFrom('messages')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  assert.ok(count > PATTERNS.length, 'messages were posted')
  assert.ok((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0) > 50, JSON.stringify([...statuses]))
})

test('no text in any field of its controls stalls a sandbox', { timeout: 300_000 }, async (t) => {
  const sandbox = await startSandbox({ port: 0, env: { PARLEY_LOG_LEVEL: 'silent' } })
  t.after(() => sandbox.stop())
  const { origin } = new URL(sandbox.control_url)
  const { send } = createSender(async () => sandbox.owner_token)
  const demand = createDemand(t, origin)
  const controls = OPERATIONS.filter(({ sandbox: only }) => only)
  for (const [turn, operation] of controls.entries())
    await attack(
      demand,
      operation,
      placesOf(operation, () => origin + operation.path, send, 1),
      turn,
    )
  assert.deepEqual(demand.stalls, [])
})
