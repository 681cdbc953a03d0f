import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OPERATIONS, type Operation, type Role } from '@parley/contract'
import type { Schema } from './platform/http/body-schema.js'
import { type Person, type World, world } from './testing/world.js'

const guarded = OPERATIONS.filter(({ roles, returns }) => roles.length > 0 && returns.media === undefined)
const writes = guarded.filter(({ body, media }) => body && !media)

/** Text that is fresh in every request, so that names are never taken. */
let texts = 0

/** A value that a shape admits, with every optional field in it. */
function sampleOf(schema: Schema, name = ''): unknown {
  const branches = schema.anyOf ?? schema.oneOf
  if (branches) return sampleOf(branches[0] as Schema, name)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const type = [schema.type].flat()[0]
  if (type === 'object') {
    // A form cannot express an object without fields.
    const fields = objectOf(schema, sampleOf)
    return Object.keys(fields).length > 0 ? fields : { any: 'x' }
  }
  if (type === 'array') return [sampleOf(schema.items ?? { type: 'string' }, name)]
  if (type === 'integer' || type === 'number')
    return Math.max(1, (schema as { minimum?: number }).minimum ?? 1)
  if (type === 'boolean') return false
  return textFor(name)
}

function textFor(name: string): string {
  texts += 1
  if (name === 'code') return '👍'
  if (/(_at|_date|_time|start|end|date)$/.test(name)) return '2090-01-01T00:00:00.000Z'
  if (name === 'email') return `p${texts}@example.org`
  if (/url$/.test(name)) return ''
  return `text${texts}`
}

function objectOf(schema: Schema, inner: (field: Schema, name: string) => unknown): Record<string, unknown> {
  const fields = Object.entries(schema.properties ?? {})
  return Object.fromEntries(fields.map(([name, field]) => [name, inner(field, name)]))
}

/** The same value with every optional field null that has no null of its own. */
function withNulls(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withNulls(schema.items ?? {}, item))
  if (typeof value !== 'object' || value === null || !schema.properties) return value
  return objectOf(schema, (field, name) => {
    const inner = withNulls(field, (value as Record<string, unknown>)[name])
    return isOptional(schema, name) && !takesNull(field) ? null : inner
  })
}

const isOptional = (schema: Schema, name: string) => !schema.required?.includes(name)
const takesNull = (schema: Schema) =>
  schema['x-when-invalid'] !== undefined || JSON.stringify(schema).includes('"null"')

/** The same value without optional fields that have no null of their own: what the nulls mean. */
function withoutOptional(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutOptional(schema.items ?? {}, item))
  if (typeof value !== 'object' || value === null || !schema.properties) return value
  const kept = Object.entries(schema.properties).filter(
    ([name, field]) => !isOptional(schema, name) || takesNull(field),
  )
  return Object.fromEntries(
    kept.map(([name, field]) => [name, withoutOptional(field, (value as Record<string, unknown>)[name])]),
  )
}

/** The same value with a field that nobody knows in every object that leaves others open. */
function withUnknown(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withUnknown(schema.items ?? {}, item))
  if (typeof value !== 'object' || value === null || !schema.properties) return value
  const fields = objectOf(schema, (field, name) =>
    withUnknown(field, (value as Record<string, unknown>)[name]),
  )
  return schema.additionalProperties === undefined ? { ...fields, unknown: 1 } : fields
}

/** The same value with every number in quotes. */
function quoted(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.map(quoted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, quoted(inner)]))
}

function* formFields(value: unknown, name: string): Generator<[string, string]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* formFields(item, `${name}[${index}]`)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) yield* formFields(inner, name ? `${name}[${key}]` : key)
  } else if (value !== null && value !== undefined) yield [name, String(value)]
}

interface Sent {
  body?: unknown
  form?: unknown
  slash?: boolean
}

/** Nothing has this id, so that no request changes what the next one meets. */
const NOBODY = '999999'

async function statusOf({ url }: World, operation: Operation, { token }: Person, sent: Sent) {
  const path = operation.path.replaceAll(/\{\w+\}/g, NOBODY)
  const target = `${url}${operation.root ? '' : '/v1'}${path}${sent.slash ? '/' : ''}`
  const headers: Record<string, string> = { Authorization: `Bearer ${token}` }
  if (sent.body !== undefined) headers['Content-Type'] = 'application/json'
  const form = sent.form === undefined ? undefined : new URLSearchParams([...formFields(sent.form, '')])
  const body = form ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body))
  const answer = await fetch(target, { method: operation.method, headers, body, redirect: 'manual' })
  return `${answer.status} ${codesIn(await answer.text())}`
}

function codesIn(text: string): string {
  if (!text.startsWith('{"errors"')) return ''
  const { errors } = JSON.parse(text) as { errors: { key: string; code: string }[] }
  return errors.map(({ key, code }) => `${key} ${code}`).join(', ')
}

async function callersOf(scene: World) {
  const { owner, admin, alice, mia, bot } = scene
  const cast: Record<Role, Person> = { owner, admin, user: alice, multi_guest: mia, bot }
  const sessions = new Map<number, Person>()
  return async (operation: Operation): Promise<Person> => {
    const person = cast[operation.roles[0] as Role]
    if (!operation.sessionOnly) return person
    const session = sessions.get(person.id) ?? (await scene.as(person.id, { session: true }))
    sessions.set(person.id, session)
    return session
  }
}

/** What is answered differently the second time: the caller is signed out, or one export is under way. */
const ONCE = new Set(['signOut', 'endOtherSessions', 'rotateOwnToken', 'changeOwnPassword', 'orderExport'])

test('every path is the same with a slash at its end', async (t) => {
  const scene = await world(t)
  const callerOf = await callersOf(scene)
  for (const operation of guarded.filter(({ id }) => !ONCE.has(id))) {
    const caller = await callerOf(operation)
    const body = operation.body && !operation.media ? {} : undefined
    const plain = await statusOf(scene, operation, caller, { body })
    assert.equal(await statusOf(scene, operation, caller, { body, slash: true }), plain, operation.id)
  }
})

test('null for unset fields, numbers in quotes, unknown fields and forms are answered like plain JSON', async (t) => {
  const scene = await world(t)
  const callerOf = await callersOf(scene)
  const different: string[] = []
  for (const operation of writes.filter(({ id }) => !ONCE.has(id))) {
    const caller = await callerOf(operation)
    const schema = operation.body as Schema
    const sent = (kind: (body: unknown) => Sent) => statusOf(scene, operation, caller, kind(sampleOf(schema)))
    const plain = await sent((body) => ({ body }))
    const bare = await sent((body) => ({ body: withoutOptional(schema, body) }))
    const others: [string, Sent['body'], string][] = [
      ['in quotes', await sent((body) => ({ body: quoted(body) })), plain],
      ['with unknown fields', await sent((body) => ({ body: withUnknown(schema, body) })), plain],
      ['as a form', await sent((form) => ({ form })), plain],
      ['with nulls', await sent((body) => ({ body: withNulls(schema, body) })), bare],
    ]
    for (const [how, answer, expected] of others)
      if (answer !== expected) different.push(`${operation.id} ${how}: ${answer} instead of ${expected}`)
  }
  assert.deepEqual(different, [])
})
