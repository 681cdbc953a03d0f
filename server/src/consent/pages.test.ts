import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser } from '../testing/browser.js'
import { givePassword, infoOf, linkOf, poll, signedIn, stage, startDevice } from './testing-flows.js'

test('cancelling leads home and tells the bot nothing', async (t) => {
  const scene = await stage(t)
  const browser = await signedIn(scene, linkOf())
  const consent = await browser.visit(linkOf())
  const back = await browser.submit(linkOf(), consent, 'consent', { answer: 'cancel' })
  assert.equal(back.location, scene.ctx.config.app_url)
  assert.deepEqual(await scene.ctx.db.selectFrom('oauth_codes').selectAll().execute(), [])
})

test('where personal tokens are for admins alone, employees can neither consent nor connect a device', async (t) => {
  const scene = await stage(t)
  await scene.ctx.db.updateTable('workspace').set({ personal_tokens: 'admins' }).execute()
  const browser = await signedIn(scene, linkOf())
  assert.equal((await browser.visit(linkOf())).status, 403)
  assert.equal((await browser.visit('/apps/authorize')).status, 403)
  await givePassword(scene, scene.admin.id)
  const boss = await signedIn(scene, linkOf(), 'admin@example.org')
  assert.equal((await boss.visit(linkOf())).status, 200)
})

test('suspended people are not let in, and a wrong password is told', async (t) => {
  const scene = await stage(t)
  const away = await scene.person({ nickname: 'sue', suspended: true })
  await givePassword(scene, away.id)
  const browser = openBrowser(scene.url)
  const door = await browser.visit(linkOf())
  for (const [email, password, status] of [
    ['sue@example.org', 'open sesame', 403],
    ['alice@example.org', 'wrong', 401],
    ['nobody@example.org', 'open sesame', 401],
    ['bob@example.org', '', 401],
  ] as const) {
    const answer = await browser.submit(linkOf(), door, 'sign-in', { email, password })
    assert.equal(answer.status, status, email)
    assert.ok(!browser.jar.has('parley_session'))
  }
})

test('a guest who is signed in lets neither a bot nor a device act for him', async (t) => {
  const scene = await stage(t)
  const guest = await scene.person({ role: 'guest', nickname: 'gus' })
  await givePassword(scene, guest.id)
  const device = await startDevice(scene)
  const browser = openBrowser(scene.url)
  const door = await browser.visit(linkOf())
  await browser.submit(linkOf(), door, 'sign-in', { email: 'gus@example.org', password: 'open sesame' })
  for (const path of [linkOf(), '/apps/authorize']) assert.equal((await browser.visit(path)).status, 403)

  const form_token = /name="form_token" value="([^"]+)"/.exec(door.text)?.[1] as string
  const { user_code } = device
  for (const fields of [
    { step: 'consent', answer: 'allow', form_token },
    { step: 'code', user_code, form_token },
    { step: 'device', answer: 'approve', user_code, form_token },
  ]) {
    const body = new URLSearchParams(fields as Record<string, string>)
    assert.equal((await browser.visit(linkOf(), { method: 'POST', body })).status, 403, fields.step)
  }
  assert.deepEqual(await scene.ctx.db.selectFrom('oauth_codes').selectAll().execute(), [])
  assert.equal((await poll(scene, device.device_code)).body.error, 'authorization_pending')
})

test('a form that was not opened in this browser is refused', async (t) => {
  const scene = await stage(t)
  const browser = await signedIn(scene, linkOf())
  const consent = await browser.visit(linkOf())
  const foreign = await openBrowser(scene.url).visit(linkOf())
  const token = /name="form_token" value="([^"]+)"/.exec(foreign.text)?.[1] as string
  const fields = { step: 'consent', answer: 'allow', form_token: token }
  const forged = await browser.visit(linkOf(), { method: 'POST', body: new URLSearchParams(fields) })
  assert.equal(forged.status, 403)
  const own = /name="form_token" value="([^"]+)"/.exec(consent.text)?.[1] as string
  const crossed = await browser.visit(linkOf(), {
    method: 'POST',
    body: new URLSearchParams({ ...fields, form_token: own }),
    headers: { 'Sec-Fetch-Site': 'cross-site' },
  })
  assert.equal(crossed.status, 403)
  assert.deepEqual(await scene.ctx.db.selectFrom('oauth_codes').selectAll().execute(), [])
})

test('the pages run no scripts, are framed and cached by nobody, and print names as text', async (t) => {
  const scene = await stage(t)
  await scene.ctx.db
    .updateTable('users')
    .set({ first_name: '<script>alert(1)</script>' })
    .where('id', '=', scene.bot.id)
    .execute()
  const browser = await signedIn(scene, linkOf())
  const { text, headers } = await browser.visit(linkOf())
  assert.ok(!text.includes('<script'))
  assert.ok(text.includes('&lt;script&gt;'))
  const policy = headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.match(policy, /form-action 'self' https:\/\/bot\.example\.org/)
  assert.equal(headers.get('cache-control'), 'no-store')
  const cookies = (await openBrowser(scene.url).visit(linkOf())).headers.getSetCookie()
  for (const cookie of cookies) assert.match(cookie, /HttpOnly; SameSite=Lax/)
})

test('the pages are in the language of the browser, and for who is signed in in the one they chose', async (t) => {
  const scene = await stage(t)
  const browser = openBrowser(scene.url)
  const languageFor = async (header: string) => {
    const { text } = await browser.visit(linkOf(), { headers: { 'Accept-Language': header } })
    return /<html lang="(..)">/.exec(text)?.[1]
  }
  assert.equal(await languageFor('ru-RU,ru;q=0.9,en;q=0.8'), 'ru')
  assert.equal(await languageFor('de, en;q=0.3, RU;q=0.4'), 'ru')
  assert.equal(await languageFor('ru;q=0, rum, en-GB'), 'en')
  assert.equal(await languageFor('*'), 'en')

  const own = await signedIn(scene, linkOf())
  await scene.ctx.pool.query(
    `insert into preferences (user_id, value, changed_at) values ($1, '{"locale":"ru"}', now())`,
    [scene.alice.id],
  )
  const { text } = await own.visit(linkOf(), { headers: { 'Accept-Language': 'en' } })
  assert.match(text, /<html lang="ru">/)
  assert.match(text, /<strong>Сообщения<\/strong>: читать/)
  const broken = await own.visit(linkOf({ client_id: 'nobody' }))
  assert.match(broken.text, /Бот из этой ссылки неизвестен\./)
})

test('the forms count as sign-in, twenty a minute from one address; the pages do not', async (t) => {
  const { url, clock } = await stage(t, {}, { limits: true })
  clock.freeze(true)
  const visit = () => fetch(`${url}/apps/authorize`)
  const send = () =>
    fetch(`${url}/apps/authorize`, { method: 'POST', body: new URLSearchParams({ step: 'x' }) })
  for (let count = 0; count < 25; count += 1) assert.equal((await visit()).status, 200)
  for (let count = 0; count < 20; count += 1) assert.equal((await send()).status, 403)
  assert.equal((await send()).status, 429)
  assert.equal((await visit()).status, 200)
})

test('signing out lets somebody else sign in', async (t) => {
  const scene = await stage(t)
  const browser = await signedIn(scene, linkOf())
  const consent = await browser.visit(linkOf())
  const session = browser.jar.get('parley_session') as string
  assert.equal((await browser.submit(linkOf(), consent, 'sign-out')).status, 303)
  assert.match((await browser.visit(linkOf())).text, /type="password"/)
  await assert.rejects(infoOf(scene, session), { status: 401 })
})
