import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import * as api from '@parley/contract'
import { outboxFolder } from '../open-context.js'
import { HOUR_MS } from '../platform/time.js'
import { type Person, type World, world } from '../testing/world.js'

async function lettersTo({ ctx }: World, address: string): Promise<string[]> {
  const folder = outboxFolder(ctx.config)
  const names = (await readdir(folder).catch(() => [])).sort()
  const letters = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return letters.filter((letter) => letter.includes(`To: ${address}`))
}

const say = (who: Person, entity_id: number, content: string, entity_type?: 'user') =>
  who.call(api.createMessage, { body: { message: { entity_id, content, entity_type } } })

test('who is away and wants it is mailed what is unread, once, and can end it with one click', async (t) => {
  const scene = await world(t)
  const { alice, bob, office, clock, drain, url } = scene
  const letters = () => lettersTo(scene, 'bob@example.org')
  const wait = async (ms: number) => {
    clock.advance(ms)
    await drain()
  }
  const set = (mail_digest: api.MailDigest) =>
    bob.call(api.updateNotificationSettings, { body: { notifications: { mail_digest } } })
  await set('hourly')
  await say(alice, office.id, 'not for bob')
  await say(alice, office.id, 'for @bob <b>')
  await say(alice, bob.id, 'a <i>secret</i>', 'user')
  await wait(HOUR_MS / 2)
  assert.deepEqual(await letters(), [], 'bob was here half an hour ago')
  await wait(HOUR_MS)
  const [letter = '', ...more] = await letters()
  assert.deepEqual(more, [])
  assert.match(letter, /^Subject: 2 unread messages in /m)
  assert.match(letter, /Alice: for @bob <b>/)
  assert.match(letter, /for @bob &lt;b&gt;/)
  assert.match(letter, /a &lt;i&gt;secret/)
  assert.ok(!letter.includes('not for bob'))
  await wait(2 * HOUR_MS)
  assert.equal((await letters()).length, 1, 'nothing is new')

  assert.match(letter, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
  const stop = /^List-Unsubscribe: <(.+)>\r$/m.exec(letter)?.[1] as string
  const { pathname } = new URL(stop)
  const post = (path: string) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
  assert.equal((await post(pathname)).status, 204)
  assert.equal((await post(pathname)).status, 204, 'mail programs ask twice')
  assert.equal((await bob.call(api.getNotificationSettings)).data.mail_digest, 'off')
  for (const wrong of ['x', 'A'.repeat(60)])
    assert.equal((await post(pathname.replace(/[^/]+\/stop$/, `${wrong}/stop`))).status, 404)
  await say(alice, office.id, '@bob again')
  await wait(3 * HOUR_MS)
  assert.equal((await letters()).length, 1)
})

test('a digest speaks the language that its reader chose, or that of the screen where it was turned on', async (t) => {
  const scene = await world(t)
  const { alice, bob, mia, admin, office, clock, drain } = scene
  const turnOn = (who: Person, mail_language: 'en' | 'ru' | null) =>
    who.call(api.updateNotificationSettings, {
      body: { notifications: { mail_digest: 'hourly', mail_language, level: 'all' } },
    })
  const choose = (who: Person, locale: string) =>
    who.call(api.setPreferences, { body: { preferences: { locale } } })
  await turnOn(bob, null)
  await choose(bob, 'ru')
  await turnOn(mia, 'ru')
  await choose(mia, 'auto')
  await turnOn(admin, 'ru')
  await choose(admin, 'en')
  await say(alice, office.id, 'привет')
  await say(alice, office.id, 'как дела')
  await say(alice, admin.id, 'hello', 'user')
  clock.advance(2 * HOUR_MS)
  await drain()
  for (const [nickname, languages] of Object.entries({ bob: 'ru', mia: 'ru', admin: 'en' })) {
    const [letter = ''] = await lettersTo(scene, `${nickname}@example.org`)
    const { name } = (await alice.call(api.getStart)).data.workspace
    const expected =
      languages === 'ru'
        ? [`2 непрочитанных сообщения в ${name}`, 'Отключить сводки: http', '>Отключить сводки</a>']
        : [`1 unread message in ${name}`, 'Turn them off: http', '>Turn them off</a>']
    for (const text of [...expected, `<html lang="${languages}">`]) assert.ok(letter.includes(text), text)
  }
})
