import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage, openView, type ViewBlockUnion } from '@parley/contract'
import type { Page } from 'playwright-core'
import { faultsInEveryLook } from './axe.js'
import { type Stage, stage } from './browser.js'
import { chooseFile, expectFocus, expectFocusKept, tabAndPress, tabTo } from './keyboard.js'

type Reply = { status?: number; body?: string } | 'silence'
interface BotServer {
  url: string
  answer(next: (received: { body: Record<string, unknown> }) => Reply): void
  bodies(type: string, count?: number): Promise<Record<string, unknown>[]>
}
interface BotStage {
  startBotServer(t: unknown): Promise<BotServer>
  setBot(world: unknown, change: object): Promise<unknown>
}
const { startBotServer, setBot } = (await import(
  new URL('../../../server/dist/forms/testing-stage.js', import.meta.url).href
)) as BotStage

const option = (text: string) => ({ text, value: text.toLowerCase() })
const BLOCKS: ViewBlockUnion[] = [
  { type: 'header', text: 'About the trip' },
  { type: 'plain_text', text: 'It takes a minute.' },
  { type: 'markdown', text: 'Read the **rules** first.' },
  { type: 'divider' },
  { type: 'input', name: 'city', label: 'City', required: true, min_length: 3, hint: 'Where to' },
  { type: 'input', name: 'why', label: 'Reason', multiline: true, placeholder: 'In short' },
  { type: 'select', name: 'way', label: 'Way', options: [option('Train'), option('Ship')] },
  {
    type: 'radio',
    name: 'class',
    label: 'Class',
    required: true,
    options: [option('First'), option('Second')],
  },
  { type: 'checkbox', name: 'extras', label: 'Extras', options: [option('Meal'), option('Bed')] },
  { type: 'date', name: 'day', label: 'Day' },
  { type: 'time', name: 'hour', label: 'Hour' },
  { type: 'file_input', name: 'papers', label: 'Papers', max_files: 1 },
]

/** From the first field, which has the focus, to the last one. */
async function fillByKeyboard(page: Page) {
  const { keyboard } = page
  await keyboard.type('Oslo')
  await tabTo(page, 'textbox', /^Reason/)
  await keyboard.type('Sea')
  await tabTo(page, 'combobox', /^Way/)
  await keyboard.type('Ship')
  await tabTo(page, 'radio', 'First')
  await keyboard.press('Space')
  await tabTo(page, 'checkbox', 'Meal')
  await keyboard.press('Space')
  await tabTo(page, 'checkbox', 'Bed')
  await keyboard.press('Space')
  // What is typed into these two depends on the language of the browser.
  await tabTo(page, 'textbox', /^Day/)
  await page.getByLabel('Day').fill('2030-02-01')
  await tabTo(page, 'textbox', /^Hour/)
  await page.getByLabel('Hour').fill('09:30')
  const pass = { name: 'pass.txt', mimeType: 'text/plain', buffer: Buffer.from('pass') }
  await chooseFile(page, /^Papers/, pass)
}

test('a form of every kind of block is refused, filled in, sent and left', async (t) => {
  const s = (await stage(t)) as (Stage & { bot: Stage['alice'] }) | null
  if (!s) return
  const server = await startBotServer(t)
  await setBot(s, { outgoing_url: server.url, events: ['button_click'] })
  const buttons = [
    [
      { text: 'Plan', data: 'plan' },
      { text: 'Rules', url: 'https://example.org/rules' },
    ],
  ]
  const message = { entity_id: s.office.id, content: 'A trip?', buttons }
  await s.bot.call(createMessage, { body: { message } })
  /** The bot opens a form when the button is pressed; time stands still, as a trigger is good for three seconds. */
  const openBy = async (press: () => Promise<unknown>, count: number) => {
    s.clock.freeze(true)
    await press()
    const clicks = await server.bodies('button', count)
    const trigger_id = String(clicks.at(-1)?.trigger_id)
    const view = { title: 'Trip', submit_text: 'Book', close_text: 'Later', blocks: BLOCKS }
    await s.bot.call(openView, { body: { type: 'modal', trigger_id, view } })
    s.clock.freeze(false)
  }

  const page = await s.open(s.bob, `/chats/${s.office.id}`)
  await page.getByRole('button', { name: 'Rules' }).click()
  await page.getByRole('dialog').getByText('https://example.org/rules').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).first().click()

  await openBy(() => tabAndPress(page, 'Plan'), 1)
  const form = page.getByRole('dialog', { name: 'Trip' })
  await form.getByText('Form from Helper_bot').waitFor()
  assert.deepEqual(await faultsInEveryLook(page), [])

  // Nothing is filled in: the required fields say so, and the first of them has the focus.
  await tabAndPress(page, 'Book')
  await form.getByText('This field is required.').first().waitFor()
  assert.equal(await form.getByText('This field is required.').count(), 2)
  await expectFocus(page, 'textbox', /^City/)

  await fillByKeyboard(page)
  await form.getByText('4 bytes').waitFor()
  await form.getByRole('progressbar').waitFor({ state: 'detached' })

  server.answer(() => ({
    status: 400,
    body: JSON.stringify({ errors: { day: 'Fully booked', x: 'Sorry' } }),
  }))
  await tabAndPress(page, 'Book')
  await form.getByText('Fully booked').waitFor()
  await form.getByText('Sorry').waitFor()
  assert.equal(await form.getByLabel('Day').getAttribute('aria-invalid'), 'true')
  assert.deepEqual(await faultsInEveryLook(page), [])

  server.answer(() => ({ status: 500 }))
  await form.getByRole('button', { name: 'Book' }).click()
  await form.getByText('The bot did not answer.').waitFor()

  server.answer(() => ({}))
  await tabAndPress(page, 'Book')
  await form.waitFor({ state: 'detached' })
  await expectFocusKept(page)
  const sent = (await server.bodies('view_submit', 3)).at(-1)?.data as Record<string, unknown>
  const [file] = sent.papers as { name: string }[]
  assert.deepEqual(
    { ...sent, papers: file?.name },
    {
      city: 'Oslo',
      why: 'Sea',
      way: 'ship',
      class: 'first',
      extras: ['meal', 'bed'],
      day: '2030-02-01',
      hour: '09:30',
      papers: 'pass.txt',
    },
  )

  // It is still there after a reload; leaving it asks when something would be lost.
  await openBy(() => page.getByRole('button', { name: 'Plan' }).click(), 2)
  await form.waitFor()
  await page.reload()
  await form.getByLabel('City').fill('Bergen')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Close the form' }).click()
  await form.waitFor({ state: 'detached' })

  await setBot(s, { outgoing_url: '', events: [] })
  await page.getByRole('button', { name: 'Plan' }).click()
  await page.getByText('The bot does not respond to buttons.').waitFor()
  assert.deepEqual(s.complaints, [])
})
