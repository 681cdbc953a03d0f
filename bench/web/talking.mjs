// Messages that come while somebody looks on: from one browser to another, from the keyboard to the screen, and many at once.
import { cpuOf } from './pages.mjs'

/** Resolves with the time of day at which a text has been painted in the timeline. */
const SEEN = `(text) => new Promise((resolve) => {
  const box = document.querySelector('[role=log]')
  const look = () => box.textContent.includes(text)
  const done = () => requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now())))
  if (look()) return done()
  const watch = new MutationObserver(() => { if (look()) { watch.disconnect(); done() } })
  watch.observe(box, { childList: true, subtree: true, characterData: true })
})`

/** Puts a text into the composer and presses Enter inside the page; the time of day at which it was pressed. */
const SEND = `(text) => {
  const field = document.querySelector('form.composer textarea')
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(field, text)
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  return new Promise((resolve) => requestAnimationFrame(() => {
    const at = performance.timeOrigin + performance.now()
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
    resolve(at)
  }))
}`

/** One message: how long until its writer sees it, and until another browser does. */
export async function sayOnce(from, to, text) {
  const echoed = from.page.evaluate(`(${SEEN})(${JSON.stringify(text)})`)
  const heard = to.page.evaluate(`(${SEEN})(${JSON.stringify(text)})`)
  const at = await from.page.evaluate(`(${SEND})(${JSON.stringify(text)})`)
  return { echo_ms: (await echoed) - at, heard_ms: (await heard) - at }
}

/** Types while messages come: the delay of each key until the next painted frame. */
const TYPE = `async (seconds) => {
  const field = document.querySelector('form.composer textarea')
  const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set
  const delays = []
  const began = performance.now()
  while (performance.now() - began < seconds * 1000) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    const at = performance.now()
    set.call(field, field.value + 'x')
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    delays.push(performance.now() - at)
  }
  const box = document.querySelector('[role=log]')
  await new Promise((resolve) => setTimeout(resolve, 500))
  return { delays, fromBottom: box.scrollHeight - box.scrollTop - box.clientHeight }
}`

/** Calls an operation as the web client does. */
export async function call(url, token, method, path, body) {
  const headers = {
    Cookie: `parley_session=${token}`,
    'Parley-Client': 'web',
    Origin: url,
    'Content-Type': 'application/json',
  }
  const answer = await fetch(`${url}/v1${path}`, { method, headers, body: JSON.stringify(body) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
  return JSON.parse(text || '{}')
}

/** Posts at an even pace. */
async function post(url, token, chat, { per_second, seconds }) {
  const pending = []
  for (let n = 0; n < per_second * seconds; n += 1) {
    const message = { entity_id: chat, content: `Message ${n} of many, with **bold** words` }
    pending.push(call(url, token, 'POST', '/messages', { message }))
    await new Promise((resolve) => setTimeout(resolve, 1000 / per_second))
  }
  await Promise.all(pending)
  return pending.length
}

export async function flood(tab, { url, writer, chat, per_second, seconds }) {
  const { cpu_ms, result } = await cpuOf(tab, async () => {
    const [count, typed] = await Promise.all([
      post(url, writer.token, chat, { per_second, seconds }),
      tab.page.evaluate(`(${TYPE})(${seconds})`),
    ])
    return { count, ...typed }
  })
  return { cpu_per_message: cpu_ms / result.count, delays: result.delays, from_bottom: result.fromBottom }
}
