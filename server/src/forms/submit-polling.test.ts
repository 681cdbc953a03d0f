import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerViewSubmit, listViews } from '@parley/contract'
import { createClient } from '@parley/sdk/contract'
import { startServer } from '../serve.js'
import { openForm, refusal, type Stage, send, setBot, stage } from './testing-stage.js'

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

/** The same, and the bot has a minute more to answer: on a busy machine a test takes longer than people wait. */
async function submitted(scene: Stage, count = 1) {
  const submits = await queued(scene, count)
  await scene.ctx.pool.query(
    `update view_submits set deadline_at = deadline_at + interval '1 minute' where state = 'waiting'`,
  )
  return submits
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
  const [submit] = await submitted(scene)
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
  const [submit] = await submitted(scene)
  assert.ok(submit)
  await answer(scene.bot, submit, { name: 'No' })
  assert.deepEqual(await sent, ['422', 'name No'])
  const again = send(scene, view.id)
  const [, second] = await submitted(scene, 2)
  assert.ok(second)
  await answer(scene.bot, second, {})
  await again
})

test('a second click while the bot thinks sends nothing', async (t) => {
  const scene = await polling(t)
  const view = await openForm(scene)
  const first = send(scene, view.id)
  const [submit] = await submitted(scene)
  assert.ok(submit)
  await assert.rejects(send(scene, view.id), { status: 409, code: 'already_exists' })
  await answer(scene.bot, submit)
  assert.deepEqual(await first, { data: { status: 'accepted' } })
  assert.equal((await queued(scene)).length, 1)
})

test('answers that are late, of another bot, or of nothing, are refused', async (t) => {
  const scene = await polling(t)
  const view = await openForm(scene)
  const sent = send(scene, view.id)
  sent.catch(() => {})
  const [submit] = await submitted(scene)
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
  scene.clock.advance(65_001)
  await assert.rejects(answer(scene.bot, submit), { status: 410, code: 'submit_expired' })
  await assert.rejects(sent, { status: 504, code: 'timeout' })
})

test('a polling bot that says nothing is given five seconds, also where the clock stands still', async (t) => {
  const scene = await polling(t)
  const view = await openForm(scene)
  const began = performance.now()
  await assert.rejects(send(scene, view.id), { status: 504, code: 'timeout' })
  const waited = performance.now() - began
  assert.ok(waited > 4900 && waited < 25_000, `${waited} ms`)
  const [submit] = await queued(scene)
  assert.ok(submit)
  await assert.rejects(answer(scene.bot, submit), { status: 410, code: 'submit_expired' })
})

test('the answer may arrive at another process', async (t) => {
  const scene = await polling(t)
  const { config, log } = scene.ctx
  const second = await startServer({ ...config, port: 0, run: 'web' }, { clock: scene.clock, log })
  t.after(() => second.stop())
  const there = createClient({ base_url: `${second.url}/v1`, token: scene.bot.token })
  const view = await openForm(scene)
  const sent = send(scene, view.id)
  const [submit] = await submitted(scene)
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
  const submits = await submitted(scene, 6)
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
  const [submit] = await submitted(scene)
  assert.ok(submit)
  const second = send(scene, view.id, { name: 'Bob' }, 'k1')
  await scene.bob.call(listViews)
  await answer(scene.bot, submit)
  assert.deepEqual(await second, await first)
  assert.equal((await queued(scene)).length, 1)
})
