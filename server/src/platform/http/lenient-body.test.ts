import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage, createUser, openView } from '@parley/contract'
import { cpuTimeOf } from '../../testing/cpu-time.js'
import { world } from '../../testing/world.js'
import { bodyBend } from './bend-body.js'
import type { Schema } from './body-schema.js'
import { MEDIA_TYPES } from './lenient-body.js'
import { nestFields, readForm } from './read-form.js'

const plain = { form: false }

test('hostile bodies cost time that grows with them at most, and a short list of names', () => {
  const user = bodyBend(createUser.body as unknown as Schema)
  const ids = (count: number) => ({ user: { email: 'x', chat_ids: new Array(count).fill('7') } })
  user(ids(10), plain)
  const many = ids(250_000)
  assert.ok(cpuTimeOf(() => user(many, plain)) < 1000)
  assert.equal(many.user.chat_ids[249_999], 7)
  assert.equal(user(ids(250_000), plain).size, 20)

  const view = bodyBend(openView.body as unknown as Schema)
  const blocks = new Array(200_000).fill({ type: 'INPUT', name: null })
  assert.ok(cpuTimeOf(() => view({ type: 'modal', view: { title: 't', blocks } }, plain)) < 1000)

  const message = bodyBend(createMessage.body as unknown as Schema)
  const words = { message: { entity_id: '9'.repeat(1_000_000), entity_type: 'D'.repeat(1_000_000) } }
  assert.ok(cpuTimeOf(() => message(words, plain)) < 1000)
  const fields = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`unknown${index}`, null]))
  assert.ok(cpuTimeOf(() => message({ message: fields }, plain)) < 1000)
})

test('unions are read by the branch that is meant', () => {
  const view = bodyBend(openView.body as unknown as Schema)
  const input = { type: 'Input', name: 'a', label: 'b', multiline: 'true', max_length: '20', hint: null }
  const body = { type: 'modal', view: { title: 't', blocks: [input] } }
  const names = view(body, plain)
  const read = { type: 'input', name: 'a', label: 'b', multiline: true, max_length: 20 }
  assert.deepEqual(body.view.blocks, [read])
  assert.ok(names.has('view.blocks.0.multiline'))
})

test('fields that the contract does not know are taken out and named', () => {
  const message = bodyBend(createMessage.body as unknown as Schema)
  const file = { key: 'k', name: 'n', file_type: 'file', size: 1, owner: 7 }
  const body = JSON.parse(
    '{"message":{"entity_id":1,"content":"x","user_id":2,"__proto__":{"a":1},"a\\r\\nb":1},"extra":1}',
  )
  body.message.files = [file]
  const names = message(body, plain)
  const { owner, ...known } = file
  assert.deepEqual(body, { message: { entity_id: 1, content: 'x', files: [known] } })
  assert.equal(Object.hasOwn(body.message, '__proto__'), false)
  assert.deepEqual([...names].toSorted(), [
    'extra',
    'message.__proto__',
    'message.files.0.owner',
    'message.user_id',
  ])
})

test('names with brackets become objects and lists', async () => {
  const text = 'a[b]=1&a[c][]=2&a[c][]=3&d[0][e]=4&d[1][e]=5&f=6&f=7&g[][h]=8&g[][i]=9&g[][h]=10'
  assert.deepEqual(await readForm(Buffer.from(text), 'application/x-www-form-urlencoded'), {
    a: { b: '1', c: ['2', '3'] },
    d: [{ e: '4' }, { e: '5' }],
    f: ['6', '7'],
    g: [{ h: '8', i: '9' }, { h: '10' }],
  })
})

test('a form can neither reach a prototype nor grow without bound', () => {
  const read = nestFields([
    ['__proto__[polluted]', 'x'],
    ['a[__proto__][polluted]', 'x'],
    ['constructor[prototype][polluted]', 'x'],
  ])
  assert.equal(({} as { polluted?: string }).polluted, undefined)
  assert.deepEqual(Object.keys(read), ['constructor'])
  const refused = { status: 400, message: 'wrong_params' }
  const many = Array.from({ length: 5_001 }, (): [string, string] => ['a[]', 'x'])
  assert.throws(() => nestFields(many), refused)
  assert.throws(() => nestFields([[`a${'[b]'.repeat(40)}`, 'x']]), refused)
  assert.throws(
    () =>
      nestFields([
        ['a', 'x'],
        ['a[b]', 'x'],
      ]),
    { status: 400, message: 'invalid' },
  )
  assert.ok(cpuTimeOf(() => nestFields([[`a${'['.repeat(500_000)}`, 'x']])) < 1000)
})

test('a path and a media type that cannot be read are named', async (t) => {
  const { alice, url } = await world(t)
  const headers = { Authorization: `Bearer ${alice.token}` }
  const refused = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${url}/v1${path}`, { ...init, headers: { ...headers, ...init.headers } })
    const { errors } = (await answer.json()) as { errors: { key: string; message: string }[] }
    return [answer.status, errors[0]?.key, errors[0]?.message]
  }
  assert.deepEqual(await refused('/users/%ff'), [400, 'path', 'is not UTF-8 with its other bytes as %XX'])
  const typed = { method: 'POST', body: '{}', headers: { 'Content-Type': 'x' } }
  assert.deepEqual(await refused('/messages', typed), [400, 'Content-Type', MEDIA_TYPES])
  const nobodys = { method: 'DELETE', headers: { Authorization: '', 'Content-Type': 'x' } }
  assert.deepEqual(await refused('/messages/1', nobodys), [400, 'Content-Type', MEDIA_TYPES])
})
