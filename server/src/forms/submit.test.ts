import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeView, listViews } from '@parley/contract'
import { upload } from '../testing/upload.js'
import { openForm, refusal, send, stage } from './testing-stage.js'

const EVERY_FIELD = [
  { type: 'header', text: 'All of them' },
  { type: 'input', name: 'name', label: 'Name', min_length: 2, max_length: 4 },
  { type: 'select', name: 'place', label: 'Place', options: [{ text: 'Here', value: 'here' }] },
  { type: 'radio', name: 'size', label: 'Size', options: [{ text: 'Small', value: 's' }] },
  {
    type: 'checkbox',
    name: 'extras',
    label: 'Extras',
    options: [
      { text: 'A', value: 'a' },
      { text: 'B', value: 'b' },
    ],
  },
  { type: 'date', name: 'day', label: 'Day' },
  { type: 'time', name: 'hour', label: 'Hour' },
  { type: 'file_input', name: 'papers', label: 'Papers', max_files: 2 },
]

test('what a person filled in reaches the bot, and a 2xx closes the form', async (t) => {
  const scene = await stage(t)
  const view = await openForm(scene, EVERY_FIELD, { callback_id: 'leave', private_metadata: 'm' })
  const filled = {
    name: 'Bob',
    place: 'here',
    size: 's',
    extras: ['b', 'a'],
    day: '2026-05-04',
    hour: '09:30:00',
    unknown: 'x',
  }
  assert.deepEqual(await send(scene, view.id, filled), { data: { status: 'accepted' } })
  const [body] = await scene.server.bodies('view_submit')
  const { webhook_timestamp, submit_id, ...rest } = body as Record<string, unknown>
  const answers = {
    name: 'Bob',
    place: 'here',
    size: 's',
    extras: ['b', 'a'],
    day: '2026-05-04',
    hour: '09:30',
    papers: [],
  }
  assert.equal(typeof webhook_timestamp, 'number')
  assert.match(submit_id as string, /^[\da-f]{8}-/)
  assert.deepEqual(rest, {
    type: 'view_submit',
    event: 'submit',
    callback_id: 'leave',
    private_metadata: 'm',
    chat_id: scene.office.id,
    user_id: scene.bob.id,
    view_id: view.id,
    data: answers,
    payload: answers,
  })
  assert.deepEqual((await scene.bob.call(listViews)).data, [])
  await assert.rejects(send(scene, view.id), { status: 404, code: 'view_not_found' })
  assert.ok((await scene.events()).some(({ type }) => type === 'view.closed'))
})

test('fields left empty are null, lists are empty', async (t) => {
  const scene = await stage(t)
  const view = await openForm(scene, EVERY_FIELD)
  await send(scene, view.id, { name: '', place: null })
  const [body] = await scene.server.bodies('view_submit')
  assert.deepEqual(body?.payload, {
    name: null,
    place: null,
    size: null,
    extras: [],
    day: null,
    hour: null,
    papers: [],
  })
  assert.equal(body?.callback_id, null)
  assert.equal(body?.private_metadata, null)
})

test('the word of the type is a setting', async (t) => {
  const scene = await stage(t, { env: { PARLEY_VIEW_SUBMIT_TYPE: 'view' } })
  const view = await openForm(scene)
  await send(scene, view.id)
  assert.equal((await scene.server.bodies('view')).length, 1)
})

test('the server checks what a client should have checked, and does not call the bot', async (t) => {
  const scene = await stage(t)
  const required = EVERY_FIELD.map((block) => ('name' in block ? { ...block, required: true } : block))
  const strict = await openForm(scene, required)
  assert.deepEqual(await refusal(send(scene, strict.id, {})), [
    '422',
    ...['name', 'place', 'size', 'extras', 'day', 'hour', 'papers'].map((name) => `${name} blank`),
  ])
  const view = await openForm(scene, EVERY_FIELD)
  const odd: [Record<string, unknown>, string][] = [
    [{ name: 'B' }, 'name min_length'],
    [{ name: 'Bobby' }, 'name max_length'],
    [{ name: 7 }, 'name invalid'],
    [{ place: 'there' }, 'place invalid'],
    [{ size: ['s'] }, 'size invalid'],
    [{ extras: ['a', 'c'] }, 'extras invalid'],
    [{ extras: 'a' }, 'extras invalid'],
    [{ day: '2023-02-30' }, 'day invalid'],
    [{ hour: '25:00' }, 'hour invalid'],
    [{ papers: 'x' }, 'papers invalid'],
    [{ papers: [{ key: 1 }] }, 'papers invalid'],
    [{ papers: [1, 2, 3].map(() => ({ key: 'k', name: 'n' })) }, 'papers too_long'],
    [{ papers: [{ key: 'attaches/files/1/x', name: 'x' }] }, 'papers wrong_params'],
  ]
  for (const [data, fault] of odd) assert.deepEqual(await refusal(send(scene, view.id, data)), ['422', fault])
  assert.equal((await scene.server.bodies('button', 2)).length, scene.server.requests.length)
})

test('lengths count characters and not their halves', async (t) => {
  const scene = await stage(t)
  const view = await openForm(scene, EVERY_FIELD)
  await send(scene, view.id, { name: '👍👍👍👍' })
})

test('a form is sent by its person, while it is open', async (t) => {
  const scene = await stage(t)
  const view = await openForm(scene)
  const gone = { status: 404, code: 'view_not_found' }
  const mia = await scene.as(scene.mia.id, { session: true })
  await assert.rejects(send({ bob: mia }, view.id), gone)
  await assert.rejects(send(scene, 'nothing'), gone)
  await assert.rejects(send({ bob: scene.alice }, view.id), gone)
  await assert.rejects(send({ bob: scene.bot }, view.id), { status: 403, code: 'not_authorized' })
  scene.clock.advance(24 * 3_600_000)
  await assert.rejects(send(scene, view.id), { status: 410, code: 'submit_expired' })
  await scene.bob.call(closeView, { params: { id: view.id } })
  await assert.rejects(send(scene, view.id), gone)
})

test('files come to the bot as links for two hours and are gone after a day', async (t) => {
  const scene = await stage(t)
  const view = await openForm(scene, EVERY_FIELD)
  const key = await upload(scene.bob, 'leave.txt', 'from Monday')
  await send(scene, view.id, { papers: [{ key, name: 'leave.txt' }] })
  const [body] = await scene.server.bodies('view_submit')
  assert.ok(body)
  const { papers } = body.payload as { papers: { name: string; size: number; url: string }[] }
  const url = papers[0]?.url as string
  assert.deepEqual(papers, [{ name: 'leave.txt', size: 11, url }])
  assert.equal(await (await fetch(url)).text(), 'from Monday')
  scene.clock.advance(2 * 3_600_000 + 1000)
  assert.notEqual((await fetch(url)).status, 200)
  assert.ok(await scene.ctx.storage.stat(key))
  scene.clock.advance(23 * 3_600_000)
  await scene.drain()
  assert.equal(await scene.ctx.storage.stat(key), undefined)
})

test('a file of somebody else, or none at all, is not sent', async (t) => {
  const scene = await stage(t)
  const view = await openForm(scene, EVERY_FIELD)
  const foreign = await upload(scene.alice, 'a.txt', 'x')
  const papers = (key: string) => ({ papers: [{ key, name: 'a.txt' }] })
  assert.deepEqual(await refusal(send(scene, view.id, papers(foreign))), ['422', 'papers wrong_params'])
  const mine = (await upload(scene.bob, 'a.txt', 'x')).replace(
    /[\da-f-]{36}/,
    '0f9f8a52-3a0c-4f5b-9a55-0d7f0b8c1e11',
  )
  assert.deepEqual(await refusal(send(scene, view.id, papers(mine))), ['422', 'papers not_found'])
})
