import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import * as api from '@parley/contract'
import {
  eventsPage,
  OPERATIONS,
  type Operation,
  openapi,
  problemStatuses,
  type Role,
  SCOPES,
} from '@parley/contract'
import { bindAreas, unboundOperations } from './app.js'
import { scopesOf } from './oauth/tokens.js'
import { readExamples } from './platform/http/examples.js'
import { RELEASE } from './platform/version.js'
import { type Person, type World, world } from './testing/world.js'

const guarded = OPERATIONS.filter(({ roles }) => roles.length > 0)
const writes = guarded.filter(({ body, media }) => body && !media)

function pathOf(operation: Operation): string {
  const properties = (operation.params?.properties ?? {}) as Record<string, { type?: string }>
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    properties[name]?.type === 'integer' ? '1' : 'x',
  )
}

interface Sent {
  token?: string
  body?: string | Buffer
  type?: string
}

async function send({ url }: World, operation: Operation, { token, body, type = 'application/json' }: Sent) {
  const headers: Record<string, string> = {}
  if (token) headers.Authorization = `Bearer ${token}`
  if (body !== undefined) headers['Content-Type'] = type
  const prefix = operation.root ? '' : '/v1'
  const answer = await fetch(url + prefix + pathOf(operation), {
    method: operation.method,
    headers,
    body,
    redirect: 'manual',
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** Somebody of each role whose token holds everything the role may, and whatever else is asked for. */
async function castOf(scene: World): Promise<Record<Role, Person>> {
  const { owner, admin, alice, mia, bot } = scene
  return { owner, admin, user: alice, multi_guest: mia, bot }
}

test('every operation has a handler', async (t) => {
  const { ctx } = await world(t)
  assert.deepEqual(
    unboundOperations(bindAreas(ctx)).map(({ id }) => id),
    [],
  )
})

test('the committed OpenAPI document is the one that the contract prints', async () => {
  const committed = await readFile(new URL('../../openapi.json', import.meta.url), 'utf8')
  assert.equal(
    committed,
    `${JSON.stringify(openapi(RELEASE, { ...api.COMMITTED, examples: readExamples() }), null, 1)}\n`,
    'run npm run print and commit openapi.json',
  )
})

test('every declared kind of event and of job is listed', () => {
  const declared = Object.values(api).filter((value) => typeof value === 'object' && 'summary' in value)
  const events = declared.filter((value) => 'audience' in value)
  const jobs = declared.filter((value) => 'kind' in value && 'payload' in value)
  assert.deepEqual(new Set<object>(events), new Set<object>(api.EVENTS))
  assert.deepEqual(new Set<object>(jobs), new Set<object>(api.JOBS))
})

test('the committed page of events and jobs is the one that the contract prints', async () => {
  const committed = await readFile(new URL('../../docs/events.md', import.meta.url), 'utf8')
  assert.equal(committed, eventsPage(), 'run npm run print and commit docs/events.md')
})

test('without a token, and with one that is none, every operation says so', async (t) => {
  const scene = await world(t)
  for (const operation of guarded) {
    for (const token of [undefined, 'nothing-of-ours']) {
      const { status, headers, text } = await send(scene, operation, { token })
      assert.equal(status, 401, operation.id)
      assert.equal(JSON.parse(text).error, 'invalid_token', operation.id)
      assert.match(headers.get('www-authenticate') ?? '', /^Bearer error="invalid_token"/, operation.id)
    }
  }
})

test('a token without the scope is told which one it needs', async (t) => {
  const scene = await world(t)
  const bare = await scene.as(scene.owner.id)
  for (const operation of guarded.filter(({ scope }) => scope)) {
    const { status, headers, text } = await send(scene, operation, { token: bare.token })
    assert.equal(status, 403, operation.id)
    const { explanation, ...refused } = JSON.parse(text)
    assert.deepEqual(refused, {
      error: 'insufficient_scope',
      error_description: `Insufficient scope. Required: ${operation.scope}`,
    })
    assert.deepEqual([explanation.rule, explanation.needs], ['token.scope', { scope: operation.scope }])
    const challenge = headers.get('www-authenticate') ?? ''
    assert.match(challenge, /error="insufficient_scope"/, operation.id)
    assert.ok(challenge.endsWith(`scope="${operation.scope}"`), operation.id)
  }
})

test('a role that may not hold the scope, or may not call, is refused before anything is looked at', async (t) => {
  const scene = await world(t)
  const cast = await castOf(scene)
  const everything = Object.keys(SCOPES)
  for (const role of Object.keys(cast) as Role[]) {
    const person = cast[role]
    await scene.ctx.db
      .updateTable('tokens')
      .set({ scopes: everything })
      .where('user_id', '=', person.id)
      .execute()
    for (const operation of guarded.filter(({ roles }) => !(roles as readonly Role[]).includes(role))) {
      const { status, text } = await send(scene, operation, {
        token: person.token,
        body: operation.body ? '{' : undefined,
      })
      assert.equal(status, 403, `${operation.id} as ${role}`)
      const holders: readonly Role[] = operation.scope ? SCOPES[operation.scope] : operation.roles
      const answer = JSON.parse(text)
      if (operation.scope && !holders.includes(role))
        assert.equal(answer.error, 'role_forbidden', operation.id)
      else assert.equal(answer.errors[0].code, 'not_authorized', operation.id)
    }
  }
})

test('operations of the corporation plan are closed on another', async (t) => {
  const scene = await world(t)
  await scene.ctx.db.updateTable('workspace').set({ plan: 'standard' }).execute()
  for (const operation of guarded.filter(({ plan, sessionOnly }) => plan && !sessionOnly)) {
    const { status, text } = await send(scene, operation, { token: scene.owner.token })
    assert.equal(status, 403, operation.id)
    assert.equal(JSON.parse(text).errors[0].code, 'not_authorized', operation.id)
  }
})

test('a suspended workspace answers 402 but to what keeps working', async (t) => {
  const scene = await world(t)
  await scene.ctx.db.updateTable('workspace').set({ suspended: true }).execute()
  const cast = await castOf(scene)
  for (const operation of guarded.filter(({ sessionOnly }) => !sessionOnly)) {
    const role = operation.roles[0] as Role
    const { status, text } = await send(scene, operation, {
      token: cast[role].token,
      body: operation.body ? '{' : undefined,
    })
    if (operation.whileSuspended) assert.notEqual(status, 402, operation.id)
    else {
      assert.equal(status, 402, operation.id)
      assert.equal(JSON.parse(text).errors[0].code, 'payment_required', operation.id)
    }
  }
})

/** A caller whom the operation lets in: a login session where only that will do. */
async function callerOf(scene: World, cast: Record<Role, Person>, operation: Operation): Promise<Person> {
  const person = cast[operation.roles[0] as Role]
  return operation.sessionOnly ? scene.as(person.id, { session: true }) : person
}

/** `PARLEY_TEXTS=all` sends every broken body and odd value to every operation; a usual run sends each to some, by turns. */
const ALL = process.env.PARLEY_TEXTS === 'all'
const isTurn = (index: number, turn: number, oneOf: number) => ALL || (index + turn) % oneOf === 0

/** Each operation is sent one of so many broken bodies and odd values. */
const ONE_VALUE_OF = 5
/** A megabyte is sent to one operation of so many: all bodies are read by the same code. */
const ONE_OF = 8

const BROKEN: [string, Sent][] = [
  ['no JSON', { body: '{"a":' }],
  ['a list', { body: '[1]' }],
  ['a text', { body: '"x"' }],
  ['null', { body: 'null' }],
  ['another media type', { body: 'a=1', type: 'text/csv' }],
  ['no UTF-8', { body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]) }],
  ['a deep nest', { body: `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}` }],
  ['a deep list', { body: `{"a":${'['.repeat(20_000)}` }],
]

test('a broken body is refused with 400, whatever the operation', async (t) => {
  const scene = await world(t)
  const cast = await castOf(scene)
  for (const [index, operation] of writes.entries()) {
    const { token } = await callerOf(scene, cast, operation)
    for (const [turn, [what, sent]] of BROKEN.entries()) {
      if (!isTurn(index, turn, ONE_VALUE_OF)) continue
      const { status, text } = await send(scene, operation, { ...sent, token })
      assert.equal(status, 400, `${operation.id} with ${what}: ${text}`)
      assert.ok(JSON.parse(text).errors[0].code, `${operation.id} with ${what}`)
    }
    if (index % ONE_OF !== 0) continue
    const large = await send(scene, operation, { token, body: `{"a":"${'x'.repeat(1024 * 1024)}"}` })
    assert.equal(large.status, 413, operation.id)
    assert.equal(JSON.parse(large.text).errors[0].code, 'too_long')
  }
})

/** Values that have broken servers before, for any field. Longer texts are in hostile-text.test.ts. */
const ODD = [
  null,
  true,
  -1,
  0,
  1.5,
  1e300,
  2 ** 53,
  '',
  ' ',
  'a\u0000b',
  '\ud800',
  'x'.repeat(5_000),
  [],
  {},
  [null],
  [[]],
  '9'.repeat(30),
]

interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
}

/** A body with one odd value at every depth of the shape. */
function oddBody(schema: Schema, odd: unknown): unknown {
  if (!schema.properties) return odd
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, inner]) => {
      if (inner.properties) return [name, oddBody(inner, odd)]
      return [name, inner.items ? [oddBody(inner.items, odd)] : odd]
    }),
  )
}

test('odd values in every field never break the server', async (t) => {
  const scene = await world(t)
  const cast = await castOf(scene)
  for (const [index, operation] of writes.entries()) {
    const { token } = await callerOf(scene, cast, operation)
    const declared = [operation.returns.status, ...problemStatuses(operation)]
    for (const [turn, odd] of ODD.entries()) {
      if (!isTurn(index, turn, ONE_VALUE_OF)) continue
      const inFields = oddBody(operation.body as Schema, odd)
      const inList = oddBody({ properties: { ...(operation.body as Schema).properties } }, [odd])
      // A list of the value in place of each field is refused before the value is looked at, so by turns.
      for (const body of (turn + index) % (ALL ? 4 : 12) === 0 ? [inFields, inList] : [inFields]) {
        const { status, text } = await send(scene, operation, { token, body: JSON.stringify(body) })
        assert.ok(
          declared.includes(status),
          `${operation.id} with ${JSON.stringify(odd).slice(0, 40)}: ${status} ${text.slice(0, 500)}`,
        )
      }
    }
  }
})

test('odd path and query values never break the server', async (t) => {
  const scene = await world(t)
  const cast = await castOf(scene)
  const odd = [
    '',
    '0',
    '-1',
    'abc',
    '1e9',
    '9'.repeat(30),
    '%00',
    '%FF',
    '1,2,x',
    "'",
    '2026-13-45',
    '9'.repeat(400),
  ]
  const reads = guarded.filter(
    ({ method, returns }) => method === 'GET' && returns.media !== 'text/event-stream',
  )
  for (const [index, operation] of reads.entries()) {
    const { token } = await callerOf(scene, cast, operation)
    const declared = [operation.returns.status, ...problemStatuses(operation), 400, 404]
    const headers = { Authorization: `Bearer ${token}` }
    const names = Object.keys(operation.query?.properties ?? {})
    const addresses = odd
      .filter((_, turn) => isTurn(index, turn, ONE_VALUE_OF))
      .flatMap((value) => [
        operation.path.replaceAll(/\{\w+\}/g, value || '0'),
        `${pathOf(operation)}?${names.map((name) => `${name}=${value}`).join('&')}`,
      ])
    for (const address of new Set(addresses)) {
      const answer = await fetch(`${scene.url}/v1${address}`, { headers, redirect: 'manual' })
      const text = await answer.text()
      const told = `${operation.id} ${address.slice(0, 200)}: ${answer.status} ${text}`
      assert.ok(declared.includes(answer.status), told)
    }
  }
})

test('every scope of a role is one that the table lets it hold', () => {
  for (const role of ['owner', 'admin', 'user', 'multi_guest', 'bot'] as const) {
    for (const scope of scopesOf(role)) assert.ok((SCOPES[scope] as readonly Role[]).includes(role))
  }
  assert.ok(!scopesOf('bot').includes('drafts:read'))
  assert.ok(!scopesOf('owner').includes('bot_self:write'))
})
