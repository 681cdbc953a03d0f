import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createCustomProperty,
  createTask,
  createUser,
  deleteCustomProperty,
  getProfile,
  getUser,
  listCustomProperties,
  previewCustomPropertyDeletion,
  updateCustomProperty,
  updateTask,
  updateUser,
} from '@parley/contract'
import { type Person, world } from '../testing/world.js'

type Kind = 'string' | 'number' | 'date' | 'link'

function define(person: Person, name: string, data_type: Kind, entity_type: 'User' | 'Task' = 'User') {
  return person.call(createCustomProperty, { body: { entity_type, name, data_type } })
}

test('fields of people and of tasks are two sets', async (t) => {
  const { admin, bot, as } = await world(t)
  const session = await as(admin.id, { session: true })
  const { data: city } = await define(session, 'City', 'string')
  const { data: cost } = await define(session, 'Cost', 'number', 'Task')
  const list = async (entity_type: 'User' | 'Task') =>
    (await bot.call(listCustomProperties, { query: { entity_type } })).data
  assert.deepEqual(await list('User'), [city])
  assert.deepEqual(await list('Task'), [cost])
})

test('the list needs to know whose fields are wanted', async (t) => {
  const { alice } = await world(t)
  await assert.rejects(alice.call(listCustomProperties), { status: 400, code: 'required' })
  const query = { entity_type: 'Chat' } as never
  await assert.rejects(alice.call(listCustomProperties, { query }), { status: 400, code: 'in' })
})

test('fields are defined, renamed and deleted in sessions of owner and admins alone', async (t) => {
  const { owner, admin, alice, as } = await world(t)
  const session = await as(owner.id, { session: true })
  const { data } = await define(session, ' Floor ', 'number')
  assert.equal(data.name, 'Floor')
  for (const person of [admin, await as(alice.id, { session: true })])
    await assert.rejects(define(person, 'Desk', 'string'), { status: 403, code: 'not_authorized' })
  await assert.rejects(define(session, 'floor', 'string'), { status: 409, code: 'already_exists' })
  await assert.rejects(define(session, 'x'.repeat(33), 'string'), { status: 422, code: 'too_long' })
  await assert.rejects(define(session, ' ', 'string'), { status: 422, code: 'blank' })
  await assert.rejects(define(session, 'Desk', 'file' as Kind), { status: 400, code: 'inclusion' })

  const params = { id: data.id }
  const renamed = await session.call(updateCustomProperty, { params, body: { name: 'Storey' } })
  assert.deepEqual(renamed.data, { ...data, name: 'Storey' })
  await session.call(deleteCustomProperty, { params })
  await assert.rejects(session.call(deleteCustomProperty, { params }), { status: 404 })
  await assert.rejects(session.call(updateCustomProperty, { params, body: { name: 'X' } }), { status: 404 })
})

test('every field comes with every card, empty ones with null, and only named ones change', async (t) => {
  const { admin, alice, bob, ctx, as } = await world(t)
  const session = await as(admin.id, { session: true })
  const { data: city } = await define(session, 'City', 'string')
  const { data: born } = await define(session, 'Born', 'date')
  const edit = (custom_properties: { id: number; value: string }[]) =>
    admin.call(updateUser, { params: { id: bob.id }, body: { user: { custom_properties } } })
  const set = await edit([{ id: city.id, value: 'Oslo' }])
  assert.deepEqual(set.data.custom_properties, [
    { ...city, value: 'Oslo' },
    { ...born, value: null },
  ])
  await edit([{ id: born.id, value: '1990-02-28' }])
  const both = (await alice.call(getUser, { params: { id: bob.id } })).data.custom_properties
  assert.deepEqual(
    both.map(({ value }) => value),
    ['Oslo', '1990-02-28'],
  )
  const cleared = await edit([{ id: city.id, value: '' }])
  assert.deepEqual(
    cleared.data.custom_properties.map(({ value }) => value),
    [null, '1990-02-28'],
  )
  assert.equal((await alice.call(getProfile)).data.custom_properties.length, 2)
  await edit([{ id: city.id, value: '' }])
  const audits = await ctx.db
    .selectFrom('audit_events')
    .select('details')
    .where('event_key', '=', 'user_updated')
    .execute()
  assert.deepEqual(audits, Array(3).fill({ details: { changed_attrs: ['custom_properties'] } }))
  const preview = (id: number) => session.call(previewCustomPropertyDeletion, { params: { id } })
  assert.deepEqual(
    [(await preview(city.id)).data, (await preview(born.id)).data],
    [{ values: 0 }, { values: 1 }],
  )
  await session.call(deleteCustomProperty, { params: { id: born.id } })
  await assert.rejects(preview(born.id), { status: 404 })
  const left = (await alice.call(getUser, { params: { id: bob.id } })).data.custom_properties
  assert.deepEqual(left, [{ ...city, value: null }])
})

test('a value has the form of its field, and the fault names the field', async (t) => {
  const { admin, bob, as } = await world(t)
  const session = await as(admin.id, { session: true })
  const ids: Record<Kind, number> = {
    string: (await define(session, 'A', 'string')).data.id,
    number: (await define(session, 'B', 'number')).data.id,
    date: (await define(session, 'C', 'date')).data.id,
    link: (await define(session, 'D', 'link')).data.id,
  }
  const edit = (custom_properties: { id: number; value: string }[]) =>
    admin.call(updateUser, { params: { id: bob.id }, body: { user: { custom_properties } } })
  const good: [Kind, string][] = [
    ['number', '-12.50'],
    ['number', '+7'],
    ['date', '2024-02-29'],
    ['date', '2024-02-29T10:00:00+02:00'],
    ['link', 'https://example.org/x?y=1'],
    ['string', 'x'.repeat(768)],
  ]
  for (const [kind, value] of good) {
    const { data } = await edit([{ id: ids[kind], value }])
    assert.equal(data.custom_properties.find(({ id }) => id === ids[kind])?.value, value)
  }
  const bad: [Kind, string][] = [
    ['number', '12,5'],
    ['number', '1e5'],
    ['number', 'ten'],
    ['date', '2023-02-29'],
    ['date', '29.02.2024'],
    ['link', 'javascript:alert(1)'],
    ['link', 'example.org'],
  ]
  for (const [kind, value] of bad)
    await assert.rejects(edit([{ id: ids[kind], value }]), ({ status, errors }) => {
      const [{ code, key, payload }] = errors
      assert.deepEqual([status, code, key, payload], [422, 'invalid', 'custom_properties', { id: ids[kind] }])
      return true
    })
  await assert.rejects(edit([{ id: ids.string, value: 'x'.repeat(769) }]), { status: 422, code: 'too_long' })
  await edit([{ id: ids.string, value: '😀'.repeat(768) }])
  await assert.rejects(
    edit([
      { id: ids.string, value: 'a' },
      { id: ids.string, value: 'b' },
    ]),
    { status: 422, code: 'taken' },
  )
})

test('an unknown field, or one of the other set, is refused and nothing is written', async (t) => {
  const { admin, alice, bob, as } = await world(t)
  const session = await as(admin.id, { session: true })
  const { data: cost } = await define(session, 'Cost', 'number', 'Task')
  const refused =
    (id: number) => (error: { status: number; errors: { code: string; payload: unknown }[] }) => {
      assert.deepEqual(
        [error.status, error.errors[0]?.code, error.errors[0]?.payload],
        [422, 'not_found', { id }],
      )
      return true
    }
  for (const id of [cost.id, 999_999]) {
    const user = { title: 'x', custom_properties: [{ id, value: '1' }] }
    await assert.rejects(admin.call(updateUser, { params: { id: bob.id }, body: { user } }), refused(id))
    const invite = { email: 'n@example.org', custom_properties: [{ id, value: '1' }] }
    await assert.rejects(admin.call(createUser, { body: { user: invite } }), refused(id))
  }
  assert.equal((await alice.call(getUser, { params: { id: bob.id } })).data.title, null)
})

test('tasks carry their fields from the start and by edits', async (t) => {
  const { admin, alice, as } = await world(t)
  const session = await as(admin.id, { session: true })
  const { data: cost } = await define(session, 'Cost', 'number', 'Task')
  const made = await alice.call(createTask, {
    body: { task: { kind: 'call', custom_properties: [{ id: cost.id, value: '10' }] } },
  })
  assert.deepEqual(made.data.custom_properties, [{ ...cost, value: '10' }])
  const params = { id: made.data.id }
  const set = (value: string) =>
    alice.call(updateTask, { params, body: { task: { custom_properties: [{ id: cost.id, value }] } } })
  assert.deepEqual((await set('12.5')).data.custom_properties, [{ ...cost, value: '12.5' }])
  await assert.rejects(set('much'), { status: 422, code: 'invalid' })
  assert.deepEqual((await set('')).data.custom_properties, [{ ...cost, value: null }])
})

test('a new person has the fields that were given', async (t) => {
  const { admin, as } = await world(t)
  const { data: city } = await define(await as(admin.id, { session: true }), 'City', 'string')
  const user = { email: 'n@example.org', custom_properties: [{ id: city.id, value: 'Rome' }] }
  const { data } = await admin.call(createUser, { body: { user } })
  assert.deepEqual(data.custom_properties, [{ ...city, value: 'Rome' }])
})
