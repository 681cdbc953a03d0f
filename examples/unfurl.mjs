// Makes previews for links to a tracker that the server itself cannot read.
// Its address is set by the person who makes it: a bot that is told of links may not change where they are sent.
// BASE_URL=http://127.0.0.1:8090/v1 OWNER_TOKEN=… node examples/unfurl.mjs
import { bot, connect } from '@parley/sdk'

const { BASE_URL, OWNER_TOKEN, BOT_TOKEN, SIGNING_SECRET, PORT = '3000' } = process.env
const DOMAIN = 'tracker.example.org'
const tracker = bot({ base_url: BASE_URL, token: BOT_TOKEN, signing_secret: SIGNING_SECRET })

/** Where the real one asks its tracker. */
async function lookUp(url) {
  const [, number] = /\/issues\/(\d+)/.exec(url) ?? []
  return number && { title: `Issue ${number}`, description: 'Open, assigned to nobody.' }
}

tracker.on('link', async ({ event, parley }) => {
  const wanted = event.links.filter(({ skip }) => !skip)
  const found = await Promise.all(wanted.map(async ({ url }) => [url, await lookUp(url)]))
  const link_previews = Object.fromEntries(found.filter(([, preview]) => preview))
  if (Object.keys(link_previews).length > 0)
    await parley.messages.createLinkPreviews({ id: event.message_id, link_previews })
})

if (!BOT_TOKEN) {
  const owner = connect({ base_url: BASE_URL, token: OWNER_TOKEN })
  const outgoing_url = `http://127.0.0.1:${PORT}`
  const made = await tracker.register(owner, { name: 'Tracker', unfurl_domains: [DOMAIN], outgoing_url })
  console.log(`bot ${made.id}: BOT_TOKEN=${made.access_token} SIGNING_SECRET=${made.signing_secret}`)
}
const { url } = await tracker.listen({ port: Number(PORT), register: false })
console.log(`listening at ${url}`)
