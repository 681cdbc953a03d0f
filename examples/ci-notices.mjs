// Turns what a CI server posts into messages, without any program of your own: an inbound webhook with a template.
// BASE_URL=http://127.0.0.1:8090/v1 OWNER_TOKEN=… CHAT_ID=1 node examples/ci-notices.mjs
// It prints an address; then, from a CI job:
// curl -d '{"project":"web","branch":"main","status":"failed","author":"ann","url":"https://ci.example.org/7"}' \
//   -H 'Content-Type: application/json' ADDRESS
import { connect } from '@parley/sdk'

const { BASE_URL, OWNER_TOKEN, CHAT_ID } = process.env
const owner = connect({ base_url: BASE_URL, token: OWNER_TOKEN })

// Liquid; an empty text posts nothing, so that builds that passed are quiet.
const template = `{% if status != "passed" -%}
**{{ project }}** on \`{{ branch }}\`: {{ status }} ({{ author }})
{{ url }}
{%- endif %}`

const made = await owner.bots.create({
  webhook: { name: 'CI', kind: 'simple', template, template_engine: 'liquid', link_preview_enabled: false },
})
await owner.members.add({ id: Number(CHAT_ID), member_ids: [made.id] })
console.log(`post to ${made.webhook.inbound_url}`)
