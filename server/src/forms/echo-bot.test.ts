import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import {
  createBot,
  createChat,
  createClient,
  createMessage,
  createSandboxUser,
  listMessages,
  pressInSandbox,
  settleSandbox,
  submitInSandbox,
} from '@parley/sdk'
import { startSandbox } from '../sandbox/start.js'

const PROGRAM = new URL('../../../examples/echo-bot.mjs', import.meta.url)

/** Runs the example as its readers would; it is ready when it says where it listens. */
async function runBot(t: TestContext, base_url: string, token: string) {
  const env = { ...process.env, BASE_URL: base_url, BOT_TOKEN: token, PORT: '0' }
  const bot = spawn(process.execPath, [PROGRAM.pathname], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => bot.kill())
  const [line] = await once(bot.stdout, 'data')
  assert.match(String(line), /^listening at http/)
}

test('the example bot greets, asks with a form, and says what it was told', async (t) => {
  const sandbox = await startSandbox({ port: 0, env: { PARLEY_LOG_LEVEL: 'silent' } })
  t.after(() => sandbox.stop())
  const { base_url } = sandbox
  const control = createClient({ base_url: new URL(sandbox.control_url).origin })
  const as = (token: string) => createClient({ base_url, token })
  const owner = as(sandbox.owner_token)
  const webhook = {
    name: 'Echo',
    nickname: 'echo_bot',
    events: ['message_new' as const, 'button_click' as const],
    commands: ['/hello'],
  }
  const { data: bot } = await owner.call(createBot, { body: { webhook } })
  await runBot(t, base_url, bot.access_token)
  const { data: person } = await control.call(createSandboxUser, { body: { first_name: 'Ann' } })
  const member_ids = [person.id, bot.id]
  const { data: chat } = await owner.call(createChat, { body: { chat: { name: 'Echoes', member_ids } } })
  const ann = as(person.token)
  const settle = () => control.call(settleSandbox)
  const latest = async () => {
    const { data } = await ann.call(listMessages, { query: { chat_id: chat.id, limit: 1 } })
    assert.ok(data[0])
    return data[0]
  }
  await ann.call(createMessage, { body: { message: { entity_id: chat.id, content: '/hello' } } })
  await settle()
  const greeting = await latest()
  assert.equal(greeting.user_id, bot.id)
  assert.deepEqual(greeting.buttons, [[{ text: 'Say it', data: 'ask' }]])

  const { data: pressed } = await control.call(pressInSandbox, {
    body: { user_id: person.id, message_id: greeting.id },
  })
  assert.ok(pressed.trigger_id)
  await settle()
  const send = (text: string) =>
    control.call(submitInSandbox, { body: { user_id: person.id, data: { text } } })
  await assert.rejects(send('nothing'), { status: 422, code: 'displayed_error' })
  assert.deepEqual(await send('Good morning'), { data: { status: 'accepted' } })
  assert.equal((await latest()).content, 'Good morning')
})
