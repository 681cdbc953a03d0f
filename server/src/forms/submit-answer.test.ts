import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listViews } from '@parley/contract'
import { openForm, refusal, send, setBot, stage } from './testing-stage.js'

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

test('texts of the bot that no column takes, or that are too long, are shown all the same', async (t) => {
  const scene = await stage(t)
  const view = await openForm(scene)
  const long = `${'x'.repeat(1999)}😀`
  const shown = [
    [`{"errors":{"name":"${long}y"}}`, `name ${long}`],
    ['{"errors":{"name":"half \\ud83d"}}', 'name half \ufffd'],
    ['{"errors":{"\\ude00":"a\\u0000b"}}', 'base ab'],
    ['\ufeff{"errors":{"name":"marked"}}', 'name marked'],
  ] as const
  for (const [body, text] of shown) {
    scene.server.answer(() => ({ status: 400, body }))
    assert.deepEqual(await refusal(send(scene, view.id)), ['422', text])
  }
})

test('a bot that says nothing is given three seconds', async (t) => {
  const scene = await stage(t)
  const view = await openForm(scene)
  scene.server.answer(() => 'silence')
  const began = performance.now()
  await assert.rejects(send(scene, view.id), { status: 504, code: 'timeout' })
  const waited = performance.now() - began
  assert.ok(waited > 2900 && waited < 25_000, `${waited} ms`)
})

test('a bot that hears nothing fails at once, and one with an address hears its form whatever it is subscribed to', async (t) => {
  const scene = await stage(t)
  const view = await openForm(scene)
  await setBot(scene, { outgoing_url: '' })
  await assert.rejects(send(scene, view.id), { status: 504, code: 'timeout' })
  await setBot(scene, { outgoing_url: scene.server.url, events: [] })
  await send(scene, view.id)
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
