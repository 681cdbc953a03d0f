// Counts the lines and words of attached texts, and sends the figures back as a file.
// BASE_URL=http://127.0.0.1:8090/v1 OWNER_TOKEN=… node examples/files.mjs
import { bot, connect, upload } from '@parley/sdk'

const { BASE_URL, OWNER_TOKEN, BOT_TOKEN, SIGNING_SECRET, PORT = '3000' } = process.env
const counter = bot({ base_url: BASE_URL, token: BOT_TOKEN, signing_secret: SIGNING_SECRET })

async function count(parley, { id, name }) {
  const text = await (await parley.files.download({ id })).text()
  return [name, text.split('\n').length, text.split(/\s+/).filter(Boolean).length].join(',')
}

counter.on('message', async ({ event, parley, reply }) => {
  // The event has the text alone; the message has its files.
  const { files } = await parley.messages.get({ id: event.id })
  const texts = files.filter(({ name }) => /\.(txt|md|csv)$/.test(name))
  if (texts.length === 0) return
  const rows = await Promise.all(texts.map((file) => count(parley, file)))
  const content = `name,lines,words\n${rows.join('\n')}\n`
  await reply({ content: 'Counted:', files: [await upload(parley, { name: 'figures.csv', content })] })
})

if (!BOT_TOKEN) {
  const owner = connect({ base_url: BASE_URL, token: OWNER_TOKEN })
  const made = await counter.register(owner, { name: 'Counter' })
  console.log(`bot ${made.id}: BOT_TOKEN=${made.access_token} SIGNING_SECRET=${made.signing_secret}`)
}
const { url } = await counter.listen({ port: Number(PORT) })
console.log(`listening at ${url}`)
