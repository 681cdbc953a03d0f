import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerViewSubmit, closeView, listViews, submitView } from '@parley/contract'
import { type ApiFailure, createClient } from '@parley/sdk'
import { startServer } from '../serve.js'
import { upload } from '../testing/upload.js'
import { openForm, type Stage, setBot, stage } from './testing-stage.js'

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

const send = (
  scene: Pick<Stage, 'bob'>,
  id: string,
  data: Record<string, unknown> = { name: 'Bob' },
  key?: string,
) => scene.bob.call(submitView, { params: { id }, body: { data }, ...(key && { idempotency_key: key }) })

/** The faults of a refusal: status, then `key code` or, of a bot's texts, `key text`. */
async function refusal(call: Promise<unknown>): Promise<string[]> {
  try {
    await call
    return []
  } catch (error) {
    const { status, errors } = error as ApiFailure
    return [
      String(status),
      ...errors.map(({ key, code, message }) => `${key} ${code === 'displayed_error' ? message : code}`),
    ]
  }
}

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

test('what the bot finds wrong stands under its fields, and the person sends again', async (t) => {
  const scene = await stage(t)
  const view = await openForm(scene)
  const errors = { name: 'Too short', other: 'Nothing of ours' }
  scene.server.answer(() => ({ status: 400, body: JSON.stringify({ errors }) }))
  assert.deepEqual(await refusal(send(scene, view.id)), ['422', 'name Too short', 'base Nothing of ours'])
  assert.equal((await scene.bob.call(listViews)).data.length, 1)
  scene.server.answer(() => ({ status: 204 }))
  await send(scene, view.id)
  const [first, second] = await scene.server.bodies('view_submit', 2)
  assert.notEqual(first?.submit_id, second?.submit_id)
})

test('any other answer means that it did not get through, and it is not tried again', async (t) => {
  const scene = await stage(t)
  const view = await openForm(scene)
  const odd = [
    { status: 500 },
    { status: 302 },
    { status: 400 },
    { status: 400, body: '{"errors":' },
    { status: 400, body: '{"errors":{}}' },
    { status: 400, body: '{"errors":["a"]}' },
    { status: 400, body: '{"errors":{"name":1}}' },
    { status: 422, body: '{"errors":{"name":"x"}}' },
  ]
  for (const answer of odd) {
    scene.server.answer(() => answer)
    await assert.rejects(send(scene, view.id), { status: 504, code: 'timeout' })
  }
  await scene.drain()
  assert.equal((await scene.server.bodies('view_submit', odd.length)).length, odd.length)
  assert.equal((await scene.bob.call(listViews)).data.length, 1)
})

test('a bot that says nothing is given three seconds', async (t) => {
  const scene = await stage(t)
  const view = await openForm(scene)
  scene.server.answer(() => 'silence')
  const began = performance.now()
  await assert.rejects(send(scene, view.id), { status: 504, code: 'timeout' })
  const waited = performance.now() - began
  assert.ok(waited > 2900 && waited < 4500, `${waited} ms`)
})

test('a bot that hears nothing fails at once', async (t) => {
  const scene = await stage(t)
  const view = await openForm(scene)
  for (const change of [{ outgoing_url: '' }, { outgoing_url: scene.server.url, events: [] }]) {
    await setBot(scene, change)
    await assert.rejects(send(scene, view.id), { status: 504, code: 'timeout' })
  }
})

test('a second click while the bot thinks sends nothing', async (t) => {
  const scene = await stage(t)
  const view = await openForm(scene)
  scene.server.answer(() => 'silence')
  const first = send(scene, view.id)
  first.catch(() => {})
  await scene.server.bodies('view_submit')
  await assert.rejects(send(scene, view.id), { status: 409, code: 'already_exists' })
  await assert.rejects(first, { status: 504 })
})

test('a form is sent by its person, while it is open', async (t) => {
  const scene = await stage(t)
  const view = await openForm(scene)
  const gone = { status: 404, code: 'view_not_found' }
  const mia = await scene.as(scene.mia.id, { session: true })
  await assert.rejects(send({ bob: mia }, view.id), gone)
  await assert.rejects(send(scene, 'nothing'), gone)
  await assert.rejects(send({ bob: scene.alice }, view.id), { status: 403, code: 'not_authorized' })
  scene.clock.advance(24 * 3_600_000)
  await assert.rejects(send(scene, view.id), { status: 410, code: 'submit_expired' })
  await scene.bob.call(closeView, { params: { id: view.id } })
  await assert.rejects(send(scene, view.id), gone)
})

test('the same Idempotency-Key sends once and gives the first answer again', async (t) => {
  const scene = await stage(t)
  const view = await openForm(scene)
  const first = await send(scene, view.id, { name: 'Bob' }, 'k1')
  assert.deepEqual(await send(scene, view.id, { name: 'Bob' }, 'k1'), first)
  assert.equal((await scene.server.bodies('view_submit')).length, 1)
  const other = send(scene, view.id, { name: 'Rob' }, 'k1')
  await assert.rejects(other, { status: 409, code: 'already_exists' })
})

test('a try that came to nothing may be repeated under its key, one that the bot refused gives the refusal', async (t) => {
  const scene = await stage(t)
  const view = await openForm(scene)
  scene.server.answer(() => ({ status: 500 }))
  await assert.rejects(send(scene, view.id, { name: 'Bob' }, 'k1'), { status: 504 })
  scene.server.answer(() => ({ status: 400, body: '{"errors":{"name":"No"}}' }))
  assert.deepEqual(await refusal(send(scene, view.id, { name: 'Bob' }, 'k1')), ['422', 'name No'])
  assert.deepEqual(await refusal(send(scene, view.id, { name: 'Bob' }, 'k1')), ['422', 'name No'])
  assert.equal((await scene.server.bodies('view_submit', 2)).length, 2)
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

/** The bot has no address and reads its queue. */
async function polling(t: Parameters<typeof stage>[0], options?: Parameters<typeof stage>[1]) {
  const scene = await stage(t, options)
  await setBot(scene, { outgoing_url: '', events_history_enabled: true })
  return scene
}

/** The submit that waits in the queue, once there are so many. */
async function queued({ ctx }: Stage, count = 1): Promise<{ view_id: string; submit_id: string }[]> {
  for (;;) {
    const rows = await ctx.db
      .selectFrom('queued_events')
      .select('payload')
      .where('event_type', '=', 'view_submit')
      .orderBy('sequence')
      .execute()
    if (rows.length >= count) return rows.map(({ payload }) => JSON.parse(payload))
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function answer(
  client: Stage['bot'],
  { view_id, submit_id }: { view_id: string; submit_id: string },
  errors?: object,
) {
  const body = { submit_id, ...(errors && { errors: errors as Record<string, string> }) }
  return client.call(answerViewSubmit, { params: { view_id }, body })
}

test('a bot that polls answers through the API, once', async (t) => {
  const scene = await polling(t)
  const view = await openForm(scene)
  const sent = send(scene, view.id)
  const [submit] = await queued(scene)
  assert.ok(submit)
  assert.deepEqual(await answer(scene.bot, submit), { success: true })
  assert.deepEqual(await sent, { data: { status: 'accepted' } })
  await assert.rejects(answer(scene.bot, submit), { status: 410, code: 'submit_expired' })
  assert.deepEqual((await scene.bob.call(listViews)).data, [])
})

test('a bot that polls sends a form back', async (t) => {
  const scene = await polling(t)
  const view = await openForm(scene)
  const sent = refusal(send(scene, view.id))
  const [submit] = await queued(scene)
  assert.ok(submit)
  await answer(scene.bot, submit, { name: 'No' })
  assert.deepEqual(await sent, ['422', 'name No'])
  const again = send(scene, view.id)
  const [, second] = await queued(scene, 2)
  assert.ok(second)
  await answer(scene.bot, second, {})
  await again
})

test('answers that are late, of another bot, or of nothing, are refused', async (t) => {
  const scene = await polling(t)
  const view = await openForm(scene)
  const sent = send(scene, view.id)
  sent.catch(() => {})
  const [submit] = await queued(scene)
  assert.ok(submit)
  const other = await scene.person({ role: 'bot', nickname: 'other_bot' })
  await assert.rejects(answer(other, submit), { status: 404, code: 'view_not_found' })
  const nowhere = { ...submit, view_id: 'nothing' }
  await assert.rejects(answer(scene.bot, nowhere), { status: 404, code: 'view_not_found' })
  for (const submit_id of ['nothing', '0f9f8a52-3a0c-4f5b-9a55-0d7f0b8c1e11'])
    await assert.rejects(answer(scene.bot, { ...submit, submit_id }), { status: 410, code: 'submit_expired' })
  await assert.rejects(answer(scene.bot, { ...submit, submit_id: '' }), { status: 422, code: 'blank' })
  const none = scene.bot.call(answerViewSubmit, { params: { view_id: view.id }, body: {} as never })
  await assert.rejects(none, { status: 422, code: 'blank' })
  const long = answer(scene.bot, submit, { name: 'x'.repeat(2001) })
  await assert.rejects(long, { status: 422, code: 'too_long' })
  await assert.rejects(answer(scene.alice, submit), { status: 403, code: 'not_authorized' })
  scene.clock.advance(5001)
  await assert.rejects(answer(scene.bot, submit), { status: 410, code: 'submit_expired' })
  await assert.rejects(sent, { status: 504, code: 'timeout' })
})

test('a polling bot that says nothing is given five seconds, also where the clock stands still', async (t) => {
  const scene = await polling(t)
  const view = await openForm(scene)
  scene.clock.freeze(true)
  const began = performance.now()
  await assert.rejects(send(scene, view.id), { status: 504, code: 'timeout' })
  const waited = performance.now() - began
  assert.ok(waited > 4900 && waited < 6500, `${waited} ms`)
  const [submit] = await queued(scene)
  assert.ok(submit)
  await assert.rejects(answer(scene.bot, submit), { status: 410, code: 'submit_expired' })
})

test('the answer may arrive at another process', async (t) => {
  const scene = await polling(t)
  const { config, log } = scene.ctx
  const second = await startServer({ ...config, port: 0, run: 'http' }, { clock: scene.clock, log })
  t.after(() => second.stop())
  const there = createClient({ base_url: `${second.url}/v1`, token: scene.bot.token })
  const view = await openForm(scene)
  const sent = send(scene, view.id)
  const [submit] = await queued(scene)
  assert.ok(submit)
  const { view_id, submit_id } = submit
  await there.call(answerViewSubmit, { params: { view_id }, body: { submit_id } })
  assert.deepEqual(await sent, { data: { status: 'accepted' } })
})

test('people who wait for a bot hold no connection to the database, with or without a key', async (t) => {
  const scene = await polling(t, { env: { PARLEY_POOL_SIZE: '2' } })
  const views = []
  for (let count = 0; count < 6; count += 1) views.push(await openForm(scene))
  const sent = views.map(({ id }, index) =>
    send(scene, id, { name: 'Bob' }, index % 2 ? `key-${index}` : undefined),
  )
  const submits = await queued(scene, 6)
  await Promise.all(submits.map((submit) => answer(scene.bot, submit)))
  assert.deepEqual(
    await Promise.all(sent),
    views.map(() => ({ data: { status: 'accepted' } })),
  )
})

test('a repeated request waits for the same answer instead of sending again', async (t) => {
  const scene = await polling(t)
  const view = await openForm(scene)
  const first = send(scene, view.id, { name: 'Bob' }, 'k1')
  const [submit] = await queued(scene)
  assert.ok(submit)
  const second = send(scene, view.id, { name: 'Bob' }, 'k1')
  await scene.bob.call(listViews)
  await answer(scene.bot, submit)
  assert.deepEqual(await second, await first)
  assert.equal((await queued(scene)).length, 1)
})
