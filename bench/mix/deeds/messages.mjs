// What is done with messages. Each message holds a word of its own, so that search can be asked for it.
import { word } from './words.mjs'

const EMOJI = ['👍', '❤️', '🎉', '👀']

function contentOf({ known, cast }) {
  const parts = [word(known)]
  if (known.chance(0.25)) parts.push(`@${known.one(cast.people).nickname}`)
  if (known.chance(0.05)) parts.push('@all')
  if (known.chance(0.1)) parts.push('see https://example.org/page')
  if (known.chance(0.05)) parts.push('secret')
  return parts.join(' ')
}

async function post(stage, actor, target) {
  const { call, known } = stage
  const answer = known.chance(0.2) ? known.pick('message') : undefined
  const message = {
    ...target,
    content: contentOf(stage),
    ...(answer ? { parent_message_id: answer } : {}),
    ...(actor.role === 'bot' && known.chance(0.5) ? { buttons: [[{ text: 'Press', data: 'pressed' }]] } : {}),
    ...(known.chance(0.1) ? { skip_invite_mentions: true } : {}),
  }
  const { data } = await call(actor, 'POST', '/messages', { message })
  if (!data) return
  known.add('message', data.id)
  if (message.buttons) known.add('buttons', data.id)
}

async function sendFile({ call, known }, actor) {
  const { json, ok } = await call(actor, 'POST', '/uploads')
  if (!ok) return
  const { direct_url, ...fields } = json.data ?? json
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const name = `${word(known)}.txt`
  form.append('file', new File(['text'], name))
  const sent = await call(actor, 'POST', direct_url, form)
  if (!sent.ok) return
  const file = { key: fields.key.replace('${filename}', name), name, file_type: 'file', size: 4 }
  const message = { entity_id: known.pick('chat'), content: word(known), files: [file] }
  const { data } = await call(actor, 'POST', '/messages', { message })
  if (data) known.add('message', data.id)
}

async function react({ call, known }, actor) {
  const [id, code] = [known.pick('message'), known.one(EMOJI)]
  const { ok } = await call(actor, 'POST', `/messages/${id}/reactions`, { code })
  if (ok) known.add('reaction', { actor, id, code })
}

export const messageDeeds = [
  [12, (stage, actor) => post(stage, actor, { entity_id: stage.known.pick('chat') })],
  [3, (stage, actor) => post(stage, actor, { entity_type: 'user', entity_id: stage.known.pick('user') })],
  [6, (stage, actor) => post(stage, actor, { entity_type: 'thread', entity_id: stage.known.pick('thread') })],
  [1, sendFile],
  [
    3,
    ({ call, known }, actor) => {
      const message = { content: `${word(known)} edited` }
      return call(actor, 'PUT', `/messages/${known.pick('message')}`, { message })
    },
  ],
  [3, ({ call, known }, actor) => call(actor, 'DELETE', `/messages/${known.pick('message')}`)],
  [2, ({ call, known }, actor) => call(actor, 'POST', `/messages/${known.pick('message')}/pin`)],
  [1, ({ call, known }, actor) => call(actor, 'DELETE', `/messages/${known.pick('message')}/pin`)],
  [4, ({ call, known }, actor) => react({ call, known }, actor)],
  [
    2,
    ({ call, known }) => {
      const { actor, id, code } = known.pick('reaction') ?? {}
      if (actor) return call(actor, 'DELETE', `/messages/${id}/reactions?code=${encodeURIComponent(code)}`)
    },
  ],
  [
    1,
    ({ call, known }, actor) =>
      call(actor.session ?? actor, 'POST', `/messages/${known.pick('message')}/forward`, {
        entity_type: 'discussion',
        entity_id: known.pick('chat'),
      }),
  ],
  [
    1,
    ({ call, known, bots }) => {
      const actor = known.one(bots)
      const preview = { 'https://example.org/page': { title: 'A page', description: 'text' } }
      return call(actor, 'POST', `/messages/${known.pick('message')}/link_previews`, {
        link_previews: preview,
      })
    },
  ],
]
