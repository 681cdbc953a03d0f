// Has the server ask for the standup every weekday. Scheduled messages belong to people, so that the token is a person's.
// BASE_URL=http://127.0.0.1:8090/v1 TOKEN=… CHAT_ID=1 node examples/standup.mjs 09:30+02:00 Europe/Berlin
import { connect, pages } from '@parley/sdk'

const { BASE_URL, TOKEN, CHAT_ID } = process.env
const [time = '09:30Z', time_zone = 'UTC'] = process.argv.slice(2)
const entity_id = Number(CHAT_ID)
const content = 'Standup: what did you do, what comes next, what is in the way?'
const parley = connect({ base_url: BASE_URL, token: TOKEN })

// One question is enough, however often this is started.
for await (const draft of pages(parley.drafts.list, { type: 'scheduled' }))
  if (draft.content === content && draft.chat_id === entity_id) await parley.drafts.delete({ id: draft.id })

const tomorrow = new Date(Date.now() + 24 * 3600 * 1000).toISOString().slice(0, 10)
const schedule = {
  start_date: `${tomorrow}T${time}`,
  // The time of day stays the same when clocks change.
  time_zone,
  repetition: { interval: 'weekly', days: [1, 2, 3, 4, 5] },
}
const draft = await parley.drafts.create({
  draft: { entity_type: 'discussion', entity_id, content, schedule },
})
console.log(`next standup at ${draft.next_send_at}`)
