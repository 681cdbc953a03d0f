// Asks for an approval with buttons, and for the reason of a refusal with a form: `/approve two days off`.
// BASE_URL=http://127.0.0.1:8090/v1 OWNER_TOKEN=… node examples/approval.mjs
import { bot, connect } from '@parley/sdk'

const { BASE_URL, OWNER_TOKEN, BOT_TOKEN, SIGNING_SECRET, PORT = '3000' } = process.env
const approvals = bot({ base_url: BASE_URL, token: BOT_TOKEN, signing_secret: SIGNING_SECRET })

approvals.on('command', '/approve', async ({ event, argument, reply }) => {
  const buttons = [
    [
      { text: 'Approve', data: 'approve' },
      { text: 'Refuse', data: 'refuse' },
    ],
  ]
  await reply({ content: `<@${event.user_id}> asks for: ${argument || 'something'}`, buttons })
})

/** The question with the answer below it, and without its buttons. */
async function settle(parley, id, verdict) {
  const { content } = await parley.messages.get({ id })
  await parley.messages.update({ id, message: { content: `${content}\n${verdict}`, buttons: [] } })
}

approvals.on('button', 'approve', ({ event, parley }) =>
  settle(parley, event.message_id, `Approved by <@${event.user_id}>.`),
)

approvals.on('button', 'refuse', ({ event, open }) => {
  const blocks = [{ type: 'input', name: 'reason', label: 'Why not?', multiline: true, required: true }]
  return open(
    { title: 'Refuse', submit_text: 'Refuse', blocks },
    { callback_id: `refuse:${event.message_id}` },
  )
})

approvals.on('form', 'refuse', async ({ event, argument, parley }) => {
  const { reason } = event.data
  if (reason.length < 5) return { errors: { reason: 'A few words more, please.' } }
  await settle(parley, Number(argument), `Refused by <@${event.user_id}>: ${reason}`)
})

if (!BOT_TOKEN) {
  const owner = connect({ base_url: BASE_URL, token: OWNER_TOKEN })
  const made = await approvals.register(owner, { name: 'Approvals' })
  console.log(`bot ${made.id}: BOT_TOKEN=${made.access_token} SIGNING_SECRET=${made.signing_secret}`)
}
const { url } = await approvals.listen({ port: Number(PORT) })
console.log(`listening at ${url}`)
