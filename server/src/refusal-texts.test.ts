import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  acceptInvite,
  addChatMembers,
  addReaction,
  archiveChat,
  createBot,
  createMessage,
  getChat,
  getMessage,
  listAuditEvents,
  OPERATIONS,
  type Operation,
  updateMessage,
} from '@parley/contract'
import type { Schema } from './platform/http/body-schema.js'
import { bodyCheck } from './platform/http/check-body.js'
import { readQuery } from './platform/http/read-query.js'
import { Problem } from './platform/problem.js'
import { isSecretField } from './platform/secret-fields.js'
import { upload } from './testing/upload.js'
import { world } from './testing/world.js'

interface Limits extends Schema {
  maxLength?: number
  minLength?: number
  minItems?: number
  minimum?: number
  maximum?: number
  'x-over-maximum'?: string
}

/** Values that break one rule of a field, each with what the refusal has to name. */
function breaking(schema: Limits): [value: unknown, told: string][] {
  const type = [schema.type].flat()[0]
  const cases: [unknown, string][] = []
  if (schema.enum)
    return [
      [type === 'integer' ? 999_999 : 'no such word', String(schema.enum.find((word) => word !== null))],
    ]
  if (schema.maxLength !== undefined && schema.maxLength <= 1000)
    cases.push([
      'x'.repeat(schema.maxLength + 1),
      `at most ${schema.maxLength} characters, got ${schema.maxLength + 1}`,
    ])
  if ((schema.minLength ?? 0) > 1) cases.push(['x', `at least ${schema.minLength} characters, got 1`])
  if (schema.maxItems !== undefined && schema.maxItems <= 1000)
    cases.push([
      new Array(schema.maxItems + 1).fill(0),
      `at most ${schema.maxItems} items, got ${schema.maxItems + 1}`,
    ])
  if (schema.minimum !== undefined) cases.push([schema.minimum - 1, `${schema.minimum}`])
  if (schema.maximum !== undefined) cases.push([schema.maximum + 1, `${schema.maximum}`])
  if (type === 'integer') cases.push([{ odd: 1 }, 'whole number'])
  return cases
}

interface Broken {
  body: Record<string, unknown>
  key: string
  told: string
}

/** Bodies in which one field breaks one rule, for every field of the shape that has rules. */
function* brokenBodies(schema: Schema, path: string[] = []): Generator<Broken> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (field['x-when-invalid']) continue
    const at = [...path, name]
    const whole = (value: unknown) => at.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value)
    for (const [value, told] of breaking(field))
      yield { body: whole(value) as Record<string, unknown>, key: at.join('.'), told }
    if (field.properties) yield* brokenBodies(field, at)
  }
}

function refusalOf(check: () => unknown) {
  try {
    check()
  } catch (error) {
    if (error instanceof Problem) return error.errors
    throw error
  }
  return []
}

test('a rule with a number or a list of words is told with it, in every field of every body', () => {
  let seen = 0
  for (const operation of OPERATIONS as readonly Operation[]) {
    if (!operation.body || operation.media) continue
    const check = bodyCheck(operation)
    for (const { body, key, told } of brokenBodies(operation.body as unknown as Schema)) {
      const items = refusalOf(() => check(body))
      const item = items.find((one) => key === one.key || key.endsWith(`.${one.key}`))
      assert.ok(
        item?.message.includes(told),
        `${operation.id} ${key}: ${item?.message} does not tell ${told}`,
      )
      if (isSecretField(key.split('.').at(-1)))
        assert.equal(item?.value, null, `${operation.id} ${key} is echoed`)
      seen += 1
    }
  }
  assert.ok(seen > 100, `${seen} rules`)
})

test('the same in every parameter of every query', () => {
  let seen = 0
  for (const operation of OPERATIONS as readonly Operation[]) {
    for (const [name, field] of Object.entries(
      (operation.query?.properties ?? {}) as Record<string, Limits>,
    )) {
      for (const [value, told] of breaking(field)) {
        const clamped = field['x-over-maximum'] === 'clamp' && value === (field.maximum ?? 0) + 1
        if (clamped || typeof value === 'object' || (field.maxLength && !field.enum)) continue
        const query = operation.query as NonNullable<Operation['query']>
        const items = refusalOf(() => readQuery(query, `/?${name}=${encodeURIComponent(String(value))}`))
        const item = items.find(({ key }) => key === name)
        assert.ok(item?.message.includes(told), `${operation.id} ${name}=${value}: ${item?.message}`)
        seen += 1
      }
    }
  }
  assert.ok(seen > 50, `${seen} rules`)
})

const refusedWith = (text: RegExp) => (error: unknown) => {
  const [item] = (error as { errors: { message: string }[] }).errors
  assert.match(item?.message ?? '', text)
  return true
}

test('refusals name the rule', async (t) => {
  const { ctx, alice, bob, mia, owner, office, attic, news } = await world(t)
  const say = (entity_id: number, content = 'x') => ({ body: { message: { entity_id, content } } })
  await assert.rejects(alice.call(createMessage, say(attic.id)), refusedWith(/the chat is archived/))
  await assert.rejects(bob.call(createMessage, say(news.id)), refusedWith(/you are not in the chat/))
  await assert.rejects(
    alice.call(createMessage, say(office.id, 'я'.repeat(20_001))),
    refusedWith(/at most 40000 bytes, got 40002/),
  )
  await assert.rejects(
    bob.call(archiveChat, { params: { id: office.id } }),
    refusedWith(/the creator and the admins of the chat may/),
  )
  const { data } = await alice.call(createMessage, say(office.id))
  const edit = { params: { id: data.id }, body: { message: { content: 'y' } } }
  await assert.rejects(bob.call(updateMessage, edit), refusedWith(/only its author edits a message/))
  const nickname = 'helper'
  await assert.rejects(
    alice.call(createBot, { body: { webhook: { name: 'Helper', nickname } } }),
    refusedWith(/^must end in _bot/),
  )
  for (const code of ['😀', '😁', '😂', '😃', '😄', '😅', '😆', '😇', '😈', '😉'])
    await alice.call(addReaction, { params: { id: data.id }, body: { code } })
  await ctx.db.updateTable('workspace').set({ plan: 'standard' }).execute()
  await assert.rejects(owner.call(listAuditEvents), refusedWith(/plan of the workspace does not include/))
  await assert.rejects(mia.call(createBot, { body: { webhook: { name: 'x' } } }), { status: 403 })
})

test('what is not there is named, and so is what a file has to be called', async (t) => {
  const { alice, office } = await world(t)
  const nowhere = { params: { id: 999_999 } }
  await assert.rejects(
    alice.call(getMessage, nowhere),
    refusedWith(/^there is no message 999999: it was deleted/),
  )
  await assert.rejects(alice.call(getChat, nowhere), refusedWith(/^there is no chat 999999/))
  const message = { entity_id: 999_999, content: 'x' }
  await assert.rejects(
    alice.call(createMessage, { body: { message } }),
    refusedWith(/^there is no chat, thread or person with this id$/),
  )
  await assert.rejects(
    alice.call(addChatMembers, { params: { id: office.id }, body: { member_ids: [999_999] } }),
    refusedWith(/^there are no active people or bots with these ids$/),
  )
  const file = { key: await upload(alice, 'plan.pdf'), name: 'Plan', file_type: 'file' as const, size: 3 }
  const sent = { message: { entity_id: office.id, content: 'x', files: [file] } }
  await assert.rejects(
    alice.call(createMessage, { body: sent }),
    refusedWith(/^must end in \.pdf, like the upload$/),
  )
})

test('a short password is told its length and never shown', async (t) => {
  const { url } = await world(t)
  const body = JSON.stringify({ first_name: 'Ann', password: 'hunter2' })
  const path = acceptInvite.path.replace('{token}', 'nothing')
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(`${url}/v1${path}`, { method: acceptInvite.method, headers, body })
  const text = await answer.text()
  assert.doesNotMatch(text, /hunter2/)
  const [item] = JSON.parse(text).errors
  assert.deepEqual(
    [item.key, item.code, item.message],
    ['password', 'min_length', 'at least 8 characters, got 7'],
  )
})
