import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createBot, createMessage, getBot, getProfile } from '@parley/contract'
import { createClient } from '@parley/sdk/contract'
import type { Page } from 'playwright-core'
import { faultsOf } from './axe.js'
import { stage, untilEquals } from './browser.js'
import { keepPictures } from './pictures.js'

/** A program that a bot's webhook is pointed at; it can be broken and repaired. */
async function startProgram(t: TestContext) {
  const bodies: Record<string, unknown>[] = []
  let status = 200
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    bodies.push(JSON.parse(text))
    response.statusCode = status
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const answer = (next: number) => {
    status = next
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, bodies, answer }
}

test('somebody makes a bot, tries it, breaks it, repairs it and sends again what it missed, all in the browser', async (t) => {
  const s = await stage(t)
  if (!s) return
  const program = await startProgram(t)
  const page = await s.open(s.bob, '/bots')
  const look = async (page: Page, name: string) => {
    await keepPictures(page, `bots-${name}`)
    // Each step in one of two looks: every step in all looks takes longer than the journey.
    const dark = Number.parseInt(name, 10) % 2 === 0
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
    await page.setViewportSize(dark ? { width: 390, height: 844 } : { width: 1280, height: 800 })
    assert.deepEqual(await faultsOf(page), [], name)
    await page.setViewportSize({ width: 1280, height: 800 })
  }
  const go = (name: string) => page.getByRole('main').getByRole('link', { name, exact: true }).click()
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  await page.getByRole('heading', { name: 'You have no bots yet' }).waitFor()
  await go('New bot')
  await button('Create the bot').click()
  await page.getByText('Fill this in.').waitFor()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Deploy')
  await page.getByLabel('All messages').check()
  await look(page, '01-new')
  await button('Create the bot').click()
  const secret = page.getByRole('dialog', { name: 'Copy it now' })
  const token = await secret.getByLabel('Main token').inputValue()
  await secret.getByRole('button', { name: 'Done' }).click()
  const asBot = createClient({ base_url: `${s.url}/v1`, token })
  const { id } = (await asBot.call(getProfile)).data

  await page.getByLabel('Address', { exact: true }).fill('not an address')
  await button('Save').click()
  await page.getByText('The server cannot call this address.').waitFor()
  await page.getByLabel('Address', { exact: true }).fill(program.url)
  await page.getByLabel('New messages').check()
  await button('Save').click()
  await page.getByRole('status').getByText('Saved').waitFor()
  await page.getByRole('tab', { name: 'Python' }).click()
  await page.getByRole('tabpanel').getByText('def is_genuine').waitFor()
  await look(page, '02-webhook')

  await go('Tokens')
  await button('New token').click()
  const dialog = page.getByRole('dialog', { name: 'New token' })
  await dialog.getByLabel('Name', { exact: true }).fill('reader')
  await dialog.getByRole('checkbox', { name: 'All of Messages' }).check()
  await dialog.getByText('Limits', { exact: true }).click()
  await dialog.getByLabel('Read only').check()
  await look(page, '03-token')
  await dialog.getByRole('button', { name: 'Create' }).click()
  const value = await secret.getByLabel('reader').inputValue()
  await secret.getByRole('button', { name: 'Done' }).click()
  const reader = createClient({ base_url: `${s.url}/v1`, token: value })
  const hello = { message: { entity_type: 'user' as const, entity_id: s.bob.id, content: 'hello' } }
  await assert.rejects(reader.call(createMessage, { body: hello }), { status: 403 })
  await button('New value for reader').click()
  await page
    .getByRole('dialog', { name: 'A new value for reader?' })
    .getByRole('button', { name: 'New value' })
    .click()
  await secret.getByRole('button', { name: 'Done' }).click()
  await button('Revoke Main token').waitFor()
  await keepPictures(page, 'bots-04-tokens')

  await go('Inbound')
  await page.getByLabel('Template', { exact: true }).fill('Build {{ build.number }} **{{ text }}**')
  await button('Try').click()
  await page.getByRole('region', { name: 'This would be posted' }).getByText('Build 42').waitFor()
  await page.getByLabel('Template', { exact: true }).fill('{% if %}')
  await button('Try').click()
  await page.getByText('The template has a fault').waitFor()
  await look(page, '05-inbound')

  await go('Designer')
  await page.getByRole('group', { name: 'Row 1, button 2' }).getByLabel('Label').fill('Maybe')
  await look(page, '06-message')
  await button('Send it to me').click()
  await page.getByText('Sent. Look into your chat with the bot.').waitFor()
  await page.getByRole('tab', { name: 'Form', exact: true }).click()
  await page.getByRole('combobox', { name: 'Add a block' }).selectOption('radio')
  await page.getByRole('group', { name: 'Block 3' }).getByLabel('Label').fill('Kind of leave')
  await page
    .getByRole('region', { name: 'Request leave' })
    .getByRole('radio', { name: 'B', exact: true })
    .check()
  await page.getByRole('tab', { name: 'curl' }).click()
  await look(page, '07-form')
  await page.getByRole('group', { name: 'Block 2' }).getByLabel('Label').fill('')
  await button('Open it for me').click()
  await page.getByText('Block 2, label: Fill this in.').waitFor()
  await button('Remove Block 2').click()
  await button('Open it for me').click()
  const form = page.getByRole('dialog', { name: 'Request leave' })
  await form.getByText('Form from Deploy').waitFor()
  await form.getByLabel('First day').fill('2030-05-04')
  await form.getByRole('button', { name: 'Submit' }).click()
  await form.waitFor({ state: 'detached' })
  assert.deepEqual(program.bodies.findLast(({ type }) => type === 'view_submit')?.data, {
    first_day: '2030-05-04',
    field1: null,
  })

  program.answer(500)
  await go('Deliveries')
  await s.bob.call(createMessage, {
    body: { message: { entity_type: 'user', entity_id: id, content: 'are you there?' } },
  })
  const failed = page.getByRole('listitem').filter({ hasText: 'New messages' }).first()
  await failed.getByRole('code').filter({ hasText: '500' }).waitFor()
  await failed.getByText('New messages').click()
  await failed.getByText('are you there?').waitFor()
  await look(page, '08-failed')
  program.answer(200)
  await failed.getByRole('button', { name: /^Send again:/ }).click()
  await failed.getByText('Delivered').waitFor()
  await keepPictures(page, 'bots-09-delivered')
  assert.equal(program.bodies.filter(({ content }) => content === 'are you there?').length >= 2, true)

  // The first plan is answered after the second one.
  let answerFirst = () => {}
  const second = new Promise<void>((resolve) => {
    answerFirst = resolve
  })
  await page.route('**/replays/plan', async (route) => {
    if (route.request().postDataJSON().only === 'missing') await second
    await route.continue()
  })
  await button('Replay events').click()
  const replay = page.getByRole('dialog', { name: 'Replay events' })
  await replay.getByLabel('Which events').selectOption('all')
  const planned = replay.getByText(/^[1-9]\d* events? would be sent\.$/)
  await planned.waitFor()
  const first = page.waitForResponse('**/replays/plan')
  answerFirst()
  await (await first).finished()
  await page.unroute('**/replays/plan')
  await planned.waitFor()
  await look(page, '10-replay')
  const before = program.bodies.length
  await replay.getByRole('button', { name: 'Send them' }).click()
  await page.getByText('Finished', { exact: true }).waitFor()
  assert.ok(program.bodies.slice(before).some(({ content }) => content === 'are you there?'))

  await go('Endpoints')
  await button('New endpoint').click()
  const endpoint = page.getByRole('dialog', { name: 'New endpoint' })
  await endpoint.getByLabel('Address').fill(program.url)
  await endpoint.getByLabel('Ed25519').check()
  await endpoint.getByRole('button', { name: 'Save' }).click()
  await endpoint.getByText('Fill this in.').waitFor()
  await endpoint.getByLabel('Name').fill('billing')
  await look(page, '11-endpoint')
  await endpoint.getByRole('button', { name: 'Save' }).click()
  assert.match(await secret.getByLabel('billing').inputValue(), /^whpk_/)
  await secret.getByRole('button', { name: 'Done' }).click()
  await button('Send a test request to billing').click()
  await page.getByText(/^It answered 200 after/).waitFor()
  assert.ok(program.bodies.some(({ type }) => type === 'test'))
  await look(page, '12-endpoints')
  await button('Remove billing').click()
  const question = page.getByRole('dialog', { name: 'Delete billing for good?' })
  await question.getByRole('button', { name: 'Remove' }).click()
  await button('Remove billing').waitFor({ state: 'detached' })

  await go('Settings')
  const part = (title: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name: title }) })
  const signIn = part('Sign-in on behalf of people')
  await signIn.getByRole('switch', { name: 'Turned on' }).click()
  const described = signIn.getByLabel('Address of the app’s description')
  await described.fill('https://app.example.org/')
  await signIn.getByRole('button', { name: 'Save' }).click()
  await signIn.locator('[aria-invalid="true"]').waitFor()
  await described.fill('')
  await signIn.getByLabel('Return addresses').fill('https://app.example.org/back')
  await signIn.getByRole('button', { name: 'Save' }).click()
  await signIn.getByLabel('Client id').waitFor()
  await page.getByLabel('What the bot does').fill('Rolls out **builds**')
  await page.getByLabel('Published').check()
  const save = part('Page in the catalogue').getByRole('button', { name: 'Save' })
  await save.click()
  await untilEquals(async () => (await s.bob.call(getBot, { params: { id } })).data.promo?.published, true)
  await look(page, '13-settings')
  await page.goto(`${s.url}/bots/catalogue`)
  await page.getByRole('heading', { name: 'Deploy' }).waitFor()
  await look(page, '14-catalogue')
  const alice = await s.open(s.alice, `/bots/${id}/settings`)
  await alice.getByText('This page does not exist').waitFor()
  assert.deepEqual(s.complaints, [])
})

test('a replay that cannot be planned says why', async (t) => {
  const s = await stage(t)
  if (!s) return
  const { data: bot } = await s.bob.call(createBot, { body: { webhook: { name: 'Doorkeeper' } } })
  const page = await s.open(s.bob, `/bots/${bot.id}/deliveries`)
  await page.getByRole('button', { name: 'Replay events', exact: true }).click()
  const said = page.getByRole('dialog').getByRole('status')
  await said.getByText('The bot has no address to send to.').waitFor()
})
