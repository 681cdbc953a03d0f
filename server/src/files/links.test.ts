import assert from 'node:assert/strict'
import { test } from 'node:test'
import { upload } from '../testing/upload.js'
import { world } from '../testing/world.js'
import { writeMessage } from '../testing/write-message.js'
import { actorOf, DAY_MS, setUp } from './testing-files.js'

test('an attached file comes with a link that needs no token, in parts too', async (t) => {
  const stage = await world(t)
  const { alice, office } = stage
  const { attach, filesOf } = setUp(stage)
  const name = `отчёт ${'длинный '.repeat(20)}.txt`
  const key = await upload(alice, name, '0123456789')
  const message_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
  await attach(actorOf(alice), { message_id }, [{ key, name, file_type: 'file', size: 99, duration_ms: 5 }])

  const attached = await filesOf(message_id)
  const [file] = attached?.files ?? []
  assert(file)
  const { url, id, ...rest } = file
  assert.deepEqual(rest, {
    key,
    name,
    file_type: 'file',
    width: null,
    measured_width: null,
    measured_height: null,
    height: null,
    duration_ms: null,
    size: 10,
  })
  assert.equal(attached?.voice_content, null)

  const whole = await fetch(url)
  assert.equal(whole.status, 200)
  assert.equal(await whole.text(), '0123456789')
  assert.match(whole.headers.get('content-disposition') ?? '', /^attachment; .*%D0%BE/)
  const part = await fetch(url, { headers: { range: 'bytes=2-4' } })
  assert.deepEqual([part.status, await part.text()], [206, '234'])
  const head = await fetch(url, { method: 'HEAD' })
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, '10'])
  assert.equal((await fetch(url, { headers: { range: 'bytes=20-' } })).status, 416)
  assert.equal((await fetch(url.replace(/expires=\d+/, 'expires=99999999999'))).status, 403)
})

test('a link is handed out again while it lives, and a new one in time', async (t) => {
  const stage = await world(t)
  const { alice, office, clock } = stage
  const { attach, filesOf } = setUp(stage)
  clock.freeze(true)
  const key = await upload(alice, 'a.txt')
  const message_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
  await attach(actorOf(alice), { message_id }, [{ key, name: 'a.txt' }])

  const urls: string[] = []
  for (let hour = 0; hour <= 14 * 24; hour += 6) {
    const url = (await filesOf(message_id))?.files[0]?.url as string
    const left_ms = Number(new URL(url).searchParams.get('expires')) * 1000 - clock.now()
    assert(left_ms >= DAY_MS - 1000 && left_ms <= 7 * DAY_MS, `${left_ms}`)
    urls.push(url)
    clock.advance(DAY_MS / 4)
  }
  assert(new Set(urls).size <= 4)
  assert.equal((await fetch(urls[0] as string)).status, 403)
  assert.equal((await fetch(urls.at(-1) as string)).status, 200)
})

test('what a browser would run is only ever handed out for saving', async (t) => {
  const stage = await world(t)
  const { alice, office } = stage
  const { attach, filesOf } = setUp(stage)
  for (const name of ['page.html', 'drawing.svg', 'script.js', 'feed.xml', 'page']) {
    const key = await upload(alice, name, '<script>alert(1)</script>')
    const message_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
    await attach(actorOf(alice), { message_id }, [{ key, name, file_type: 'image' }])
    const reply = await fetch((await filesOf(message_id))?.files[0]?.url as string)
    assert.equal(reply.headers.get('content-type'), 'application/octet-stream', name)
    assert.match(reply.headers.get('content-disposition') ?? '', /^attachment/, name)
    assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
    assert.match(reply.headers.get('content-security-policy') ?? '', /sandbox/)
  }
})
