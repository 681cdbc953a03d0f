import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChat, createMessage, deleteMessage, updateBot, updateUser } from '@parley/contract'
import type { Locator, Page, Request } from 'playwright-core'
import { latch, stage, untilEquals, untilHolds } from './browser.js'
import { RECORDED, useTone } from './tone.js'

/** Pastes texts of these types together with a picture. */
const paste = (field: Locator, texts: Record<string, string>) =>
  field.evaluate((element, given) => {
    const clipboardData = new DataTransfer()
    for (const [type, text] of Object.entries(given)) clipboardData.setData(type, text)
    clipboardData.items.add(new File(['x'], 'cells.png', { type: 'image/png' }))
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, texts)

test('commands are offered, files of a draft are on every device, and nothing unsent is lost', async (t) => {
  const s = await stage(t)
  if (!s) return
  const webhook = { commands: ['/poll', '/help'] }
  await s.alice.call(updateBot, { params: { id: s.bot.id }, body: { webhook } })
  const chat = `/chats/${s.office.id}`
  const page = await s.open(s.bob, chat)
  const field = page.getByRole('textbox', { name: 'Message to office' })

  await field.pressSequentially('/p')
  await page.getByRole('option', { name: /\/poll/ }).waitFor()
  await untilEquals(() => page.getByRole('option').count(), 1)
  await page.keyboard.press('Enter')
  await untilHolds(field, '/poll ')

  await s.alice.call(createMessage, { body: { message: { entity_id: s.office.id, content: 'Which plan?' } } })
  await page.getByRole('article').filter({ hasText: 'Which plan?' }).hover()
  await page.getByRole('button', { name: 'Reply' }).click()
  const saved = page.waitForResponse(
    (answer) =>
      answer.url().endsWith('/drafts/at') && answer.request().postData()?.includes('plan.txt') === true,
  )
  // The first attempt to save it does not arrive.
  let lost = false
  await page.route('**/v1/drafts/at', (route) => {
    if (lost || !route.request().postData()?.includes('plan.txt')) return route.continue()
    lost = true
    return route.abort()
  })
  const plan = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('x') }
  await page.locator('form input[type=file]').setInputFiles(plan)
  await saved
  assert.ok(lost)
  const other = await s.open(s.bob, chat)
  await other.locator('.attachment-done').getByText('plan.txt').waitFor()
  await untilHolds(other.getByRole('textbox', { name: 'Message to office' }), '/poll ')
  await other.locator('.composer-about').getByText('Which plan?').waitFor()
  await other.getByRole('button', { name: 'Send', exact: true }).click()
  const sent = page.getByRole('log').getByRole('article').filter({ hasText: 'plan.txt' })
  await sent.locator('.quote', { hasText: 'Which plan?' }).waitFor()
  await page.locator('.attachment').waitFor({ state: 'detached' })

  // A tone instead of a microphone, and a server that takes no file.
  await useTone(page)
  await page.route('**/v1/uploads', (route) => route.abort())
  await page.getByRole('button', { name: 'Record a voice message' }).click()
  await page.getByText(RECORDED).waitFor()
  await page.getByRole('button', { name: 'Send the voice message' }).click()
  const waiting = page.getByRole('log').locator('.waiting-file')
  await waiting.waitFor()
  await page.reload()
  await waiting.waitFor()

  await page.getByRole('button', { name: 'Settings and more' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  const question = page.getByRole('dialog', { name: 'Sign out and lose unsent messages?' })
  await question.getByText('1 message is not sent yet.').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).last().click()
  await page.unroute('**/v1/uploads')
  await page.getByRole('log').getByRole('button', { name: 'Play' }).waitFor()
  await waiting.waitFor({ state: 'detached' })
  assert.deepEqual(s.complaints, [])
})

test('an edit comes back where it was left, reloaded or refused, and what cannot be attached is said', async (t) => {
  const s = await stage(t)
  if (!s) return
  await s.bob.call(createChat, { body: { chat: { name: 'annex' } } })
  await s.bob.call(createMessage, { body: { message: { entity_id: s.office.id, content: 'Frist' } } })
  const page = await s.open(s.bob, `/chats/${s.office.id}`)
  const field = page.getByRole('textbox', { name: 'Message to office' })
  const log = page.getByRole('log')
  await log.getByText('Frist', { exact: true }).waitFor()
  await field.press('ArrowUp')
  await untilHolds(field, 'Frist')
  await field.fill('First')
  await page.getByRole('link', { name: /^annex/ }).click()
  await page.getByRole('textbox', { name: 'Message to annex' }).waitFor()
  await page.getByRole('link', { name: /^office/ }).click()
  await untilHolds(field, 'First')

  await page.reload()
  await untilHolds(field, 'First')
  await page.locator('.composer-about').getByText('Frist').waitFor()
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByRole('log').getByText('Frist').waitFor()
  assert.equal(await other.locator('.composer-about').count(), 0, 'another tab edits nothing')
  await other.close()
  await page.getByRole('button', { name: 'Settings and more' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  const question = page.getByRole('dialog', { name: 'Sign out and lose unsaved changes?' })
  await question.getByText('1 change of a message is not saved yet.').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).last().click()

  await page.route('**/v1/messages/*', (route) => route.fulfill({ status: 429, json: { errors: [] } }))
  await field.press('Enter')
  await page.getByText('Too many requests. Wait a moment.').waitFor()
  await untilHolds(field, 'First')
  await page.unroute('**/v1/messages/*')
  await field.press('Enter')
  await log.getByText('First').waitFor()
  await untilHolds(field, '')
  await page.reload()
  await log.getByText('First').waitFor()
  assert.equal(await page.locator('.composer-about').count(), 0, 'what was saved is edited no more')

  // The field takes what is typed after a message was sent by the button, and after a click on one.
  await field.fill('By the button')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.keyboard.type('No')
  await untilHolds(field, 'No')
  await log.getByText('By the button').click()
  await page.keyboard.type('w')
  await untilHolds(field, 'Now')

  await page.locator('.waiting').waitFor({ state: 'detached' })

  // What was refused comes back into the field, before what is written there.
  await page.route('**/v1/messages', (route) =>
    route.fulfill({ status: 422, json: { errors: [{ key: 'content', code: 'too_long' }] } }),
  )
  const long = `Too long${'\nline'.repeat(80)}`
  await field.fill(long)
  await field.press('Enter')
  await page.getByText('Not sent: it is too long.').waitFor()
  // It stays below what others write, which has to be in sight beside it.
  await s.alice.call(createMessage, { body: { message: { entity_id: s.office.id, content: 'Later' } } })
  const newer = await log.getByText('Later', { exact: true }).boundingBox()
  const shown = await log.boundingBox()
  assert.ok(newer && shown && newer.y > shown.y, 'a long text that was refused hides none')
  await page.unroute('**/v1/messages')
  await field.fill('More')
  await page.locator('.send-state').getByRole('button', { name: 'Edit' }).click()
  await untilHolds(field, `${long}\n\nMore`)
  await page.locator('.waiting').waitFor({ state: 'detached' })
  await page.keyboard.type('!')
  await field.press('Enter')
  await log.getByText('More!').waitFor()

  await field.fill('bold')
  await field.selectText()
  await field.press('ControlOrMeta+b')
  await untilHolds(field, '**bold**')
  await field.press('ControlOrMeta+z')
  await untilHolds(field, 'bold')
  await field.press('ControlOrMeta+Shift+z')
  await untilHolds(field, '**bold**')
  await field.fill('')

  await field.pressSequentially(':rocket')
  await page.getByRole('option', { name: 'rocket', exact: true }).waitFor()
  await field.press('Enter')
  await untilHolds(field, '🚀 ')
  await field.press('ControlOrMeta+z')
  await untilHolds(field, ':rocket')
  await field.press('ControlOrMeta+Shift+z')
  await untilHolds(field, '🚀 ')
  await field.pressSequentially(':fire')
  await page.getByRole('option', { name: 'fire', exact: true }).waitFor()
  await field.press('Escape')
  await page.getByRole('option').first().waitFor({ state: 'detached' })
  await untilHolds(field, '🚀 :fire')
  await field.fill('')

  // Cells of a spreadsheet come with a picture of themselves; a picture from a page comes with its markup.
  await paste(field, { 'text/plain': '1\t2', 'text/html': '<td>1<td>2' })
  assert.equal(await page.locator('.attachment').count(), 0)
  await paste(field, { 'text/html': '<img>' })
  await page.locator('.attachment-done').waitFor()
  await page.getByRole('button', { name: 'Remove cells.png' }).click()
  await page.locator('.attachment').waitFor({ state: 'detached' })

  const files = Array.from({ length: 11 }, (_, n) => ({
    name: `${n}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from('x'),
  }))
  await page.locator('form input[type=file]').setInputFiles(files)
  await page.getByText('A message takes 10 files.').waitFor()
  await untilEquals(() => page.locator('.attachment-done').count(), 10)
  assert.deepEqual(s.complaints, [])
})

test('a message that is edited takes no files, and those of the draft wait until it is saved', async (t) => {
  const s = await stage(t)
  if (!s) return
  const message = { entity_id: s.office.id, content: 'I has it' }
  await s.bob.call(createMessage, { body: { message } })
  const page = await s.open(s.bob, `/chats/${s.office.id}`)
  const field = page.getByRole('textbox', { name: 'Message to office' })
  const log = page.getByRole('log')
  await log.getByText('I has it').waitFor()

  // It is uploaded while something else is edited.
  const editing = latch()
  await page.route('**/v1/uploads', (route) => editing.opened.then(() => route.continue()))
  // The first attempt to save it does not arrive.
  let lost = false
  await page.route('**/v1/drafts/at', (route) => {
    if (lost || !route.request().postData()?.includes('plan.txt')) return route.continue()
    lost = true
    return route.abort()
  })
  const plan = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('x') }
  await page.locator('form input[type=file]').setInputFiles(plan)
  await page.locator('.attachment-uploading').waitFor()
  await field.press('ArrowUp')
  await untilHolds(field, 'I has it')
  const isUpload = (request: Request) =>
    request.headers()['content-type']?.startsWith('multipart/form-data') === true
  const uploaded = page.waitForEvent('requestfinished', isUpload)
  editing.open()
  await uploaded

  const held = await page.evaluateHandle(() => {
    const dragged = new DataTransfer()
    dragged.items.add(new File(['x'], 'map.txt', { type: 'text/plain' }))
    return dragged
  })
  const refused = page.getByText(/^Files cannot be added to a message that was sent/)
  await log.dispatchEvent('dragover', { dataTransfer: held })
  await page.locator('.composer-drop').and(refused).waitFor()
  await log.dispatchEvent('drop', { dataTransfer: held })
  const toast = page.locator('.toast').filter({ has: refused })
  await toast.waitFor()
  // Not over the field.
  const [above, below] = await Promise.all([toast.boundingBox(), page.locator('.composer-box').boundingBox()])
  assert.ok(above && below && above.y + above.height <= below.y, JSON.stringify({ above, below }))

  await field.fill('I have it')
  await field.press('Enter')
  await log.getByText('I have it').waitFor()
  await page.locator('.attachment-done').getByText('plan.txt').waitFor()
  const other = await s.open(s.bob, `/chats/${s.office.id}`)
  await other.locator('.attachment-done').getByText('plan.txt').waitFor()
  assert.equal(await page.locator('.attachment').count(), 1)

  // What the server would not take is not sent to it.
  await page.route('**/v1/uploads', async (route) => {
    const form = await (await route.fetch()).json()
    const policy = btoa(JSON.stringify({ conditions: [['content-length-range', 0, 2000]] }))
    await route.fulfill({ json: { ...form, policy } })
  })
  await page
    .locator('form input[type=file]')
    .setInputFiles({ ...plan, name: 'film.txt', buffer: Buffer.alloc(3000) })
  const refusedFile = page.locator('.attachment-failed', { hasText: 'film.txt' })
  await refusedFile.getByText('larger than 2 kB').waitFor()
  assert.equal(await refusedFile.getByRole('button', { name: 'Try again' }).count(), 0)
  await page.getByRole('button', { name: 'Remove film.txt' }).click()
  await page.unroute('**/v1/uploads')
  await page.route('**/storage/uploads', (route) =>
    route.fulfill({
      status: 403,
      contentType: 'application/xml',
      body: '<?xml version="1.0"?><Error><Code>QuotaExceeded</Code><Message>full</Message></Error>',
    }),
  )
  await page.locator('form input[type=file]').setInputFiles({ ...plan, name: 'more.txt' })
  const over = page.locator('.attachment-failed', { hasText: 'more.txt' })
  await over.getByText('your upload quota is used up').waitFor()
  assert.equal(await over.getByRole('button', { name: 'Try again' }).count(), 0)
  await page.getByRole('button', { name: 'Remove more.txt' }).click()
  await page.unroute('**/storage/uploads')

  // It goes on while another screen is open.
  const away = latch()
  await page.route('**/v1/uploads', (route) => away.opened.then(() => route.continue()))
  await page.locator('form input[type=file]').setInputFiles({ ...plan, name: 'late.txt' })
  const uploading = page.locator('.attachment-uploading').getByText('late.txt')
  await uploading.waitFor()
  const tasks = page.getByRole('link', { name: 'Tasks' })
  const leave = async () => {
    await tasks.click()
    await field.waitFor({ state: 'detached' })
  }
  // The screen is opened again before the one in between has loaded.
  const screen = latch()
  await page.route('**/tasks-screen-*.js', (route) => screen.opened.then(() => route.continue()))
  await tasks.click()
  await page.waitForURL('**/tasks')
  await page.goBack()
  await page.waitForURL(`**/chats/${s.office.id}`)
  await uploading.waitFor()
  screen.open()
  await leave()
  await page.goBack()
  await uploading.waitFor()
  await leave()
  /** Whether the page may be closed or reloaded without a question. */
  const mayClose = () => page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))
  assert.equal(await mayClose(), false)
  await page.getByRole('button', { name: 'Settings and more' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  const question = page.getByRole('dialog', { name: 'Sign out and lose unsent messages?' })
  await question.getByText('1 file is still uploading.').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).last().click()
  away.open()
  await other.locator('.attachment-done').getByText('late.txt').waitFor()
  await page.goBack()
  await page.locator('.attachment-done').getByText('late.txt').waitFor()
  assert.equal(await page.locator('.attachment').count(), 2)
  assert.equal(await mayClose(), true)
  assert.deepEqual(s.complaints, [])
})

test('an answer to a message that is deleted meanwhile is sent as a message of its own', async (t) => {
  const s = await stage(t)
  if (!s) return
  const page = await s.open(s.bob, `/chats/${s.office.id}`)
  const field = page.getByRole('textbox', { name: 'Message to office' })
  const about = page.locator('.composer-about')
  const asked = { body: { message: { entity_id: s.office.id, content: 'Which plan?' } } }
  const { data: question } = await s.alice.call(createMessage, asked)
  await page.getByRole('article').filter({ hasText: 'Which plan?' }).hover()
  await page.getByRole('button', { name: 'Reply' }).click()
  await field.fill('The second')
  await about.getByText('Which plan?').waitFor()
  await s.alice.call(deleteMessage, { params: { id: question.id } })
  await about.waitFor({ state: 'detached' })
  const taken = page.waitForResponse((answer) => answer.url().endsWith('/v1/messages'))
  await field.press('Enter')
  assert.equal((await taken).status(), 201)
  assert.deepEqual(s.complaints, [])
})

test('a text is copied also where the page came over plain http', async (t) => {
  const s = await stage(t)
  if (!s) return
  await s.bob.call(createMessage, { body: { message: { entity_id: s.office.id, content: 'Copy me' } } })
  const page = await s.open(s.bob, '/')
  // As browsers do there.
  await page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined }),
  )
  await page.goto(`${s.url}/chats/${s.office.id}`)
  await page.getByRole('article').filter({ hasText: 'Copy me' }).hover()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  // Not from the clipboard, which all pages of the browser share.
  await page.evaluate(() =>
    addEventListener('copy', (event) => {
      document.title = event.clipboardData?.getData('text/plain') ?? ''
    }),
  )
  await page.getByRole('menuitem', { name: 'Copy the text' }).click()
  await page.getByText('Copied', { exact: true }).waitFor()
  assert.equal(await page.title(), 'Copy me')
  assert.deepEqual(s.complaints, [])
})

test('what is written to a person is in their chat after a reload, on another device, and once the chat is there', async (t) => {
  const s = await stage(t)
  if (!s) return
  const { data } = await s.bob.call(createMessage, {
    body: { message: { entity_type: 'user', entity_id: s.alice.id, content: 'Hello' } },
  })
  const chat = `/chats/${data.chat_id}`
  const fieldOf = (page: Page) => page.getByRole('textbox', { name: /^Message/ })
  const bob = await s.open(s.bob, chat)
  const saved = bob.waitForResponse((answer) => answer.url().endsWith('/drafts/at') && answer.ok())
  await fieldOf(bob).fill('Half a thought')
  await saved
  await bob.reload()
  await untilHolds(fieldOf(bob), 'Half a thought')
  const other = await s.open(s.bob, '/')
  await other.getByRole('link', { name: /Alice.*Has a draft/ }).click()
  await untilHolds(fieldOf(other), 'Half a thought')
  await fieldOf(other).press('Enter')
  await untilHolds(fieldOf(bob), '')

  // Mia writes first: what Bob was writing to her goes along.
  await bob.goto(`${s.url}/people/${s.mia.id}`)
  await fieldOf(bob).fill('I wanted to ask')
  const message = { entity_type: 'user', entity_id: s.bob.id, content: 'Are you there?' } as const
  await s.mia.call(createMessage, { body: { message } })
  await bob.getByRole('article').filter({ hasText: 'Are you there?' }).waitFor()
  await untilHolds(fieldOf(bob), 'I wanted to ask')
  assert.deepEqual(s.complaints, [])
})

test('nobody writes to somebody who was suspended, and what was being written stays', async (t) => {
  const s = await stage(t)
  if (!s) return
  const message = { entity_type: 'user', entity_id: s.bob.id, content: 'Lunch?' } as const
  const { data: asked } = await s.alice.call(createMessage, { body: { message } })
  const page = await s.open(s.alice, `/chats/${asked.chat_id}`)
  const field = page.getByRole('textbox', { name: 'Message to Bob' })
  await field.fill('At noon')
  const suspend = (suspended: boolean) =>
    s.owner.call(updateUser, { params: { id: s.bob.id }, body: { user: { suspended } } })
  await suspend(true)
  await page.getByText('You can no longer message this person.').waitFor()
  await page.getByRole('region', { name: 'Your unsent text' }).getByText('At noon').waitFor()
  await suspend(false)
  await untilHolds(field, 'At noon')
})
