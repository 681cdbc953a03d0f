import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createUser, getInviteLink, getPreferences, updateUser } from '@parley/contract'
import { faultsOf } from './axe.js'
import { connectProvider, latch, repeatUntilShown, type Stage, stage, untilEquals } from './browser.js'

test('somebody accepts an invitation, sets up their profile, and ends their other sessions', async (t) => {
  const s = await stage(t)
  if (!s) return
  const owner = await s.as(1, { session: true })
  const { data: invited } = await owner.call(createUser, { body: { user: { email: 'nina@example.org' } } })
  const { data: link } = await owner.call(getInviteLink, { params: { id: invited.id } })
  const path = new URL(link.url ?? '').pathname

  const page = await (await s.newContext({ viewport: { width: 390, height: 844 } })).newPage()
  await page.goto(s.url + path)
  await page.getByText('You were invited as nina@example.org').waitFor()
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByText('Enter your name.').waitFor()
  assert.equal(await page.getByLabel('Password').getAttribute('type'), 'password')
  assert.deepEqual(await faultsOf(page), [])
  await page.getByLabel('First name').fill('Nina')
  await page.getByLabel('Password').fill('long enough')
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('link', { name: 'You' }).click()

  await page.getByLabel('Nickname').fill('bob')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('This nickname is taken.').waitFor()
  await page.getByLabel('Nickname').fill('nina.r')
  // What a proxy answers while the server is away.
  await page.route('**/v1/profile', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The server cannot be reached. Try again in a moment.').waitFor()
  await page.unroute('**/v1/profile')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved').waitFor()
  await page.getByLabel('Current password').fill('not this one')
  await page.getByLabel('New password').fill('another one')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('The current password is wrong.').waitFor()
  assert.deepEqual(await faultsOf(page), [])

  await page.getByRole('link', { name: 'Appearance' }).click()
  await page.getByRole('radio', { name: 'Русский' }).check()
  const saved = page.waitForResponse(
    (answer) => answer.ok() && answer.request().postData()?.includes('"dark"') === true,
  )
  await page.getByRole('radio', { name: 'Тёмная' }).check()
  await saved
  await page.getByRole('heading', { name: 'Настройки' }).waitFor()
  assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
  assert.deepEqual(await faultsOf(page), [])
  const elsewhere = await s.as(invited.id, { session: true })
  const { data: kept } = await elsewhere.call(getPreferences)
  assert.equal((kept as { locale?: string }).locale, 'ru')

  await page.getByRole('link', { name: 'Сеансы' }).click()
  await page.getByRole('button', { name: 'Завершить: Неизвестное устройство' }).click()
  await page.getByText('Других сеансов нет.').waitFor()
  await assert.rejects(elsewhere.call(getPreferences), { status: 401 })
  await page.getByRole('button', { name: 'Выйти', exact: true }).click()
  await page.getByRole('heading', { name: 'Вход в Parley' }).waitFor()

  await page.goto(s.url + path)
  await page.getByText('This invitation is no longer valid').waitFor()
  assert.deepEqual(s.complaints, [])
})

test('a forgotten password is asked for by mail, a wrong one is refused in words, and a provider signs in', async (t) => {
  const s = await stage(t)
  if (!s) return
  const page = await (await s.newContext()).newPage()
  await page.goto(`${s.url}/sign-in`)
  await page.getByLabel('Email').fill('owner@parley.local')
  await page.getByLabel('Password').fill('wrong')
  await page.getByLabel('Password').press('Enter')
  await page.getByRole('alert').filter({ hasText: 'Wrong email or password.' }).waitFor()
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByLabel('Email').fill('owner@parley.local')
  await page.getByLabel('Email').press('Enter')
  await page.getByText('If there is an account with owner@parley.local').waitFor()
  assert.deepEqual(await faultsOf(page), [])
  await page.goto(`${s.url}/reset/1.none`)
  await page.getByText('This link is no longer valid').waitFor()
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await page.getByLabel('Password').fill('correct horse')
  await page.getByLabel('Email').fill('owner@parley.local')
  await page.getByLabel('Email').press('Enter')
  await page.getByRole('navigation', { name: 'Chats' }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/')

  const provider = await connectProvider(t, s)
  provider.people.set('bob', { email: 'bob@example.org', email_verified: true })
  provider.next = 'bob'
  const other = await (await s.newContext()).newPage()
  await other.goto(`${s.url}/sign-in?refused=cancelled`)
  await other.getByRole('alert').filter({ hasText: 'You cancelled signing in' }).waitFor()
  const button = other.getByRole('link', { name: 'Continue with House', exact: true })
  await button.waitFor()
  assert.deepEqual(await faultsOf(other), [])
  await button.click()
  await other.getByRole('navigation', { name: 'Chats' }).waitFor()
  assert.equal(other.url(), `${s.url}/`)

  await other.goto(`${s.url}/settings/security`)
  await other.getByText('your only way to sign in').waitFor()
  await other.getByRole('button', { name: 'Set up', exact: true }).click()
  await other.getByRole('button', { name: 'Confirm with House', exact: true }).click()
  await other.waitForURL(`${s.url}/settings/security`)
  await other.getByRole('button', { name: 'Set up', exact: true }).click()
  const dialog = other.getByRole('dialog', { name: 'Set up the app' })
  await dialog.getByText('You have just confirmed who you are.').waitFor()
  assert.deepEqual(await faultsOf(other), [])
  await dialog.getByRole('button', { name: 'Continue', exact: true }).click()
  await dialog.getByLabel('Code from the app').waitFor()

  provider.people.set('owner', {})
  provider.next = 'owner'
  await page.goto(`${s.url}/settings/security`)
  await page.getByRole('button', { name: 'Link House', exact: true }).click()
  await page.getByLabel('Current password').fill('correct horse')
  await page.getByLabel('Current password').press('Enter')
  await page.getByRole('button', { name: 'Unlink House', exact: true }).waitFor()
  assert.deepEqual(await faultsOf(page), [])
  assert.deepEqual(s.complaints, [])
})

interface Kept {
  theme?: string
  density?: string
}

/** What the server keeps of the look of a person's client. */
async function keptLook(s: Stage, user_id: number) {
  const { data }: { data: Kept } = await (await s.as(user_id, { session: true })).call(getPreferences)
  return [data.theme, data.density]
}

test('of two choices that are made at once both are kept', async (t) => {
  const s = await stage(t)
  if (!s) return
  const page = await s.open(s.bob, '/settings/look')
  let isFirst = true
  await page.route('**/v1/profile/preferences', async (route) => {
    const isLate = isFirst
    isFirst = false
    if (isLate) await sleep(1500)
    await route.continue()
  })
  let answers = 0
  page.on('response', (answer) => {
    if (answer.url().endsWith('/v1/profile/preferences')) answers += 1
  })
  await page.getByRole('radio', { name: 'Dark' }).check()
  await page.getByRole('radio', { name: 'Compact' }).check()
  await untilEquals(async () => answers, 2)
  assert.deepEqual(await keptLook(s, s.bob.id), ['dark', 'compact'])
  assert.deepEqual(s.complaints, [])
})

test('a choice that the server does not take is taken back, and one that was made meanwhile stays', async (t) => {
  const s = await stage(t)
  if (!s) return
  const page = await s.open(s.bob, '/settings/look')
  const choice = (name: string) => page.getByRole('radio', { name })
  const chosen = latch()
  await page.route(
    '**/v1/profile/preferences',
    async (route) => {
      await chosen.opened
      await route.fulfill({ status: 503, json: { errors: [] } })
    },
    { times: 1 },
  )
  await choice('Dark').check()
  await choice('Compact').check()
  chosen.open()
  await page.getByText('Something went wrong. Try again.').waitFor()
  await untilEquals(() => keptLook(s, s.bob.id), ['auto', 'compact'])
  assert.deepEqual([await choice('System').isChecked(), await choice('Compact').isChecked()], [true, true])
  assert.deepEqual(s.complaints, [])
})

test('somebody who gets another role is offered what goes with it at once', async (t) => {
  const s = await stage(t)
  if (!s) return
  const bob = await s.open(s.bob, '/')
  const open = bob.getByRole('button', { name: 'Settings and more' })
  const administration = bob.getByRole('menuitem', { name: 'Administration' })
  const become = (role: 'admin' | 'user') =>
    s.owner.call(updateUser, { params: { id: s.bob.id }, body: { user: { role } } })
  await open.waitFor()
  await become('admin')
  await repeatUntilShown(administration, async () => {
    await bob.keyboard.press('Escape')
    await open.click()
  })
  await administration.click()
  const people = bob.getByRole('main').getByRole('link', { name: 'People' })
  await people.waitFor()
  await become('user')
  await people.waitFor({ state: 'detached' })
  assert.deepEqual(s.complaints, [])
})
