// A whole bot: it greets, has a button, opens a form on it, and answers what is sent.
// BASE_URL=http://127.0.0.1:8080/v1 BOT_TOKEN=… PORT=3000 node examples/echo-bot.mjs
import { createServer } from 'node:http'
import { createClient, createMessage, openView, setOwnWebhook } from '@parley/sdk'

const { BASE_URL = 'http://127.0.0.1:8080/v1', BOT_TOKEN, PORT = '3000' } = process.env
const parley = createClient({ base_url: BASE_URL, token: BOT_TOKEN, retries: 3 })
const say = (entity_id, content, buttons) =>
  parley.call(createMessage, { body: { message: { entity_id, content, buttons } } })
const FORM = {
  title: 'Echo',
  blocks: [{ type: 'input', name: 'text', label: 'Say something', required: true }],
}

/** What to do about each event; texts by field name send a form back. */
const answers = {
  message: ({ chat_id }) => say(chat_id, 'Hello! What shall I say?', [[{ text: 'Say it', data: 'ask' }]]),
  button: ({ trigger_id }) => parley.call(openView, { body: { type: 'modal', trigger_id, view: FORM } }),
  view_submit: ({ chat_id, payload }) =>
    payload.text === 'nothing' ? { errors: { text: 'Anything but that' } } : say(chat_id, payload.text),
}

const server = createServer(async (request, response) => {
  const event = JSON.parse(Buffer.concat(await request.toArray()))
  const answer = await answers[event.type]?.(event)
  response.writeHead(answer?.errors ? 400 : 200, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify(answer))
})
server.listen(Number(PORT), '127.0.0.1', async () => {
  const outgoing_url = `http://127.0.0.1:${server.address().port}`
  await parley.call(setOwnWebhook, { body: { webhook: { outgoing_url } } })
  console.log(`listening at ${outgoing_url}`)
})
