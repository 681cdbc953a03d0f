import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { OPERATIONS, type Operation } from '@parley/contract'
import type { LivezData } from './testing/livez-thread.js'
import { type World, world } from './testing/world.js'

const SLOWEST_MS = 250
const TRIES = 8

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

interface Schema {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  format?: string
  minimum?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  additionalProperties?: Schema | boolean
  patternProperties?: Record<string, Schema>
}

type Filled = (text: string) => unknown
const branchesOf = ({ anyOf, oneOf }: Schema) => anyOf ?? oneOf

/** A value that passes, as small as it gets. */
function sampleOf(schema: Schema, id: number): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const [branch] = branchesOf(schema) ?? []
  if (branch) return sampleOf(branch, id)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'integer' || type === 'number') return Math.max(id, schema.minimum ?? 0)
  if (type === 'boolean') return false
  if (type === 'array') return []
  if (type === 'string') return schema.format?.startsWith('date') ? '2030-01-01T00:00:00.000Z' : 'x'
  const required = (schema.required ?? []).map((name) => [
    name,
    sampleOf(schema.properties?.[name] ?? {}, id),
  ])
  return Object.fromEntries(required)
}

/** A way to fill each text of a schema, with everything else as small as it gets. */
function fillsOf(schema: Schema, id: number, depth = 0): Filled[] {
  if (schema.const !== undefined || schema.enum || depth > 8) return []
  const branches = branchesOf(schema)
  if (branches) return branches.flatMap((branch) => fillsOf(branch, id, depth + 1))
  const types = [schema.type].flat()
  if (types.includes('string')) return [(text) => text]
  if (schema.items) return fillsOf(schema.items, id, depth + 1).map((fill) => (text) => [fill(text)])
  const base = sampleOf({ ...schema, type: 'object' }, id) as object
  const named = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    fillsOf(property, id, depth + 1).map(
      (fill): Filled =>
        (text) => ({ ...base, [name]: fill(text) }),
    ),
  )
  const { additionalProperties: others } = schema
  const free = typeof others === 'object' ? [others] : Object.values(schema.patternProperties ?? {})
  const unnamed = free.flatMap((other) =>
    fillsOf(other, id, depth + 1).map(
      (fill): Filled =>
        (text) => ({ ...base, x: fill(text) }),
    ),
  )
  return [...named, ...unnamed]
}

function watchLivez(t: TestContext, url: string) {
  const shared = new Int32Array(new SharedArrayBuffer(8))
  const workerData: LivezData = { url, shared }
  const thread = new Worker(new URL('./testing/livez-thread.js', import.meta.url), { workerData })
  t.after(() => thread.terminate())
  return {
    /** The slowest answer while this ran; whatever was under way at its end is waited for. */
    async during(work: () => Promise<unknown>): Promise<number> {
      Atomics.store(shared, 1, 0)
      await work()
      const seen = Atomics.load(shared, 0)
      while (Atomics.load(shared, 0) < seen + 2) await new Promise((resolve) => setTimeout(resolve, 2))
      return Atomics.load(shared, 1)
    },
  }
}

/** Sends to one operation as somebody who may call it. */
async function senderOf({ url, owner, office, alice, bot, as }: World) {
  const statuses = new Map<number, number>()
  const { data } = (await (
    await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${alice.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ message: { entity_id: office.id, content: 'hi' } }),
    })
  ).json()) as { data: { id: number } }
  const ids: [RegExp, number][] = [
    [/^\/chats|^\/exports/, office.id],
    [/^\/messages|^\/threads/, data.id],
    [/^\/(users|personal)/, alice.id],
    [/^\/(bots|webhooks)/, bot.id],
  ]
  async function tokenFor({ roles }: Operation): Promise<string> {
    if (!roles.some((role) => role !== 'bot')) return bot.token
    return (await as(roles.includes('owner') ? owner.id : alice.id, { session: true })).token
  }
  async function send(operation: Operation, token: string, body: unknown, query = '') {
    const id = ids.find(([path]) => path.test(operation.path))?.[1] ?? 1
    const path = operation.path.replaceAll(/\{\w*id\}/g, String(id)).replaceAll(/\{\w+\}/g, 'x')
    const answer = await fetch(`${url}${operation.root ? '' : '/v1'}${path}${query}`, {
      method: operation.method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
    })
    if (!answer.headers.get('content-type')?.includes('event-stream')) await answer.arrayBuffer()
    else await answer.body?.cancel()
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    assert.ok(answer.status < 500, `${operation.id}: ${answer.status}`)
  }
  return { send, tokenFor, statuses, id: office.id }
}

const here = OPERATIONS.filter(({ external, sandbox, media }) => !external && !sandbox && !media)

test('no text in any field of any operation stalls the server', { timeout: 300_000 }, async (t) => {
  const scene = await world(t, { working: true })
  const { send, tokenFor, statuses, id } = await senderOf(scene)
  const livez = watchLivez(t, scene.url)
  const stalls: string[] = []

  async function demand(name: string, work: () => Promise<unknown>) {
    let slowest = Number.POSITIVE_INFINITY
    // A machine that is busy with something else is not the server's fault; a text that stalls does so every time.
    for (let tries = 0; tries < TRIES && slowest > SLOWEST_MS; tries += 1)
      slowest = Math.min(slowest, await livez.during(work))
    if (slowest > SLOWEST_MS) stalls.push(`${name}: ${slowest} ms`)
  }

  for (const operation of here) {
    const fills = operation.body ? fillsOf(operation.body as Schema, id) : []
    const names = Object.entries((operation.query?.properties ?? {}) as Record<string, Schema>)
      .filter(([, { type, enum: words }]) => type === 'string' && !words)
      .map(([name]) => name)
    for (const [place, pattern] of PATTERNS.entries()) {
      const text = pattern(40_000)
      const query = encodeURIComponent(pattern(12_000)).slice(0, 12_000).replace(/%\w?$/, '')
      if (fills.length + names.length === 0) continue
      await demand(`${operation.id}, pattern ${place}`, async () => {
        // Some operations end the session that calls them.
        for (const fill of fills) await send(operation, await tokenFor(operation), fill(text))
        const token = await tokenFor(operation)
        for (const name of names) await send(operation, token, operation.body && {}, `?${name}=${query}`)
      })
    }
    const [first] = fills
    const large = PATTERNS[here.indexOf(operation) % PATTERNS.length]?.(1_000_000) ?? ''
    if (first)
      await demand(`${operation.id}, 1 MB`, async () =>
        send(operation, await tokenFor(operation), first(large)),
      )
  }
  assert.deepEqual(stalls, [])
  assert.equal(statuses.get(401) ?? 0, 0, 'every request was admitted')
  assert.ok((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0) > 100, JSON.stringify([...statuses]))
})
