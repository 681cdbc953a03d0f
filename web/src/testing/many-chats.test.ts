import { test } from 'node:test'
import { createChat, createMessage } from '@parley/contract'
import { latch, stage, untilEquals } from './browser.js'

const OLD = 3
/** More than the first call gives. */
const NEW = 55

test('who is in many chats sees the newest at once, and all of them a moment later', async (t) => {
  const s = await stage(t)
  if (!s) return
  const make = async (name: string) => {
    const { data } = await s.alice.call(createChat, { body: { chat: { name, member_ids: [s.bob.id] } } })
    return data.id
  }
  const say = (entity_id: number) =>
    s.alice.call(createMessage, { body: { message: { entity_id, content: 'Anybody here?' } } })
  const old: number[] = []
  for (let n = 1; n <= OLD; n += 1) old.push(await make(`Old ${n}`))
  for (const id of old) await say(id)
  s.clock.advance(60_000)
  for (let n = 1; n <= NEW; n += 1) await make(`New ${n}`)

  const context = await s.newContext()
  const { token } = await s.as(s.bob.id, { session: true })
  await context.addCookies([{ name: 'parley_session', value: token, url: s.url }])
  const page = await context.newPage()
  const chats = page.getByRole('navigation', { name: 'Chats' })
  const entry = (name: string) => chats.getByRole('link', { name: new RegExp(`^${name}\\b`) })
  const unread = async () =>
    (await chats.locator('a[href="/unread"] .count [aria-hidden]').allTextContents()).join()
  let rest = latch()
  await page.route('**/v1/start/chats?*', (route) => rest.opened.then(() => route.continue()))

  // The list is drawn before the open chat is known, which is not on the first page.
  const open = latch()
  await page.route(`**/v1/chats/${old[1]}/card`, (route) => open.opened.then(() => route.continue()))
  const isTold = page.waitForResponse(`**/v1/chats/${old[1]}/read`)
  await page.goto(`${s.url}/chats/${old[1]}`)
  await entry('New 55').waitFor()
  open.open()
  await page.getByRole('textbox', { name: 'Message to Old 2' }).waitFor()
  await page.getByRole('log').getByText('Anybody here?').waitFor()
  // The list stands where the open chat is, far down.
  await entry('New 10').waitFor()
  // It is not in the list yet, and is read for its message.
  await say(old[0] as number)
  await untilEquals(unread, '2')
  rest.open()
  // One more in the third; the second lies open.
  await untilEquals(unread, '3')

  await isTold

  // What the device keeps stays while the server is asked again.
  await page.goto(s.url)
  await entry('Old 1').waitFor()
  rest = latch()
  const asked = page.waitForRequest('**/v1/start/chats?*')
  await page.reload()
  await asked
  await untilEquals(unread, '3')
  rest.open()
  await say(old[2] as number)
  await untilEquals(unread, '4')
})
