// Tasks, drafts, forms and bots.
import { word } from './words.mjs'

async function createTask({ call, known }, actor) {
  const task = {
    kind: known.one(['call', 'reminder']),
    content: word(known),
    performer_ids: known.some('user', 3),
    ...(known.chance(0.5) ? { chat_id: known.pick('chat') } : {}),
  }
  const { data } = await call(actor, 'POST', '/tasks', { task })
  if (data) known.add('task', data.id)
}

const SOON_MS = 100_000

async function createDraft({ call, known, clock }, actor) {
  const kinds = { discussion: 'chat', thread: 'thread', user: 'user' }
  const entity_type = known.one(Object.keys(kinds))
  const start_date = new Date(Date.parse(clock.now) + known.below(SOON_MS)).toISOString()
  const repetition = { interval: known.one(['once', 'daily']) }
  const draft = {
    entity_type,
    entity_id: known.pick(kinds[entity_type]),
    content: `planned ${word(known)}`,
    ...(known.chance(0.6) ? { schedule: { start_date, repetition } } : {}),
  }
  const { data } = await call(actor, 'POST', '/drafts', { draft })
  if (data) known.add('draft', data.id)
}

async function createBot({ call, known }, actor) {
  const webhook = {
    name: word(known),
    events: ['message_new'],
    events_history_enabled: true,
    who_can_add: 'anyone',
  }
  const { data } = await call(actor, 'POST', '/bots', { webhook })
  if (data) known.add('spare bot', known.add('user', data.id))
}

async function emptyQueue({ call, known, bots }) {
  const [actor] = bots
  const { data = [] } = await call(actor, 'GET', '/webhooks/events?limit=50')
  for (const event of data ?? []) {
    if (event.payload?.type === 'button' || event.event_type === 'button_click')
      known.add('trigger', event.payload.trigger_id)
    if (known.chance(0.5)) await call(actor, 'DELETE', `/webhooks/events/${event.id}`)
  }
}

async function openForm({ call, known, bots }) {
  const trigger_id = known.pick('trigger')
  const blocks = [{ type: 'input', name: 'answer', label: 'Answer' }]
  const view = { title: 'Form', blocks }
  await call(bots[0], 'POST', '/views/open', { type: 'modal', trigger_id, view })
}

async function submitForm({ call }, actor) {
  const { data } = await call(actor.session ?? actor, 'GET', '/views')
  if (data?.[0]) await call(actor.session ?? actor, 'DELETE', `/views/${data[0].id}`)
}

async function press({ call, known }, actor) {
  const { data } = await call(actor.session ?? actor, 'POST', `/messages/${known.pick('buttons')}/press`, {
    row: 0,
    column: 0,
  })
  if (data) known.add('trigger', data.trigger_id)
}

export const workDeeds = [
  [1, createTask],
  [
    1,
    ({ call, known }, actor) => {
      const status = known.one(['done', 'undone'])
      return call(actor, 'PUT', `/tasks/${known.pick('task')}`, {
        task: { status, performer_ids: known.some('user', 2) },
      })
    },
  ],
  [0.5, ({ call, known }, actor) => call(actor, 'DELETE', `/tasks/${known.pick('task')}`)],
  [0.5, ({ call }, actor) => call(actor, 'GET', '/tasks')],
  [2, createDraft],
  [1, ({ call, known }, actor) => call(actor, 'DELETE', `/drafts/${known.pick('draft')}`)],
  [
    0.5,
    ({ call, known }, actor) =>
      call(actor, 'PUT', `/drafts/${known.pick('draft')}`, { draft: { content: word(known) } }),
  ],
  [
    1,
    ({ call, known }, actor) =>
      call(actor.session ?? actor, 'PUT', '/drafts/at', {
        draft: {
          entity_type: 'discussion',
          entity_id: known.pick('chat'),
          content: known.chance(0.3) ? '' : word(known),
        },
      }),
  ],
  [0.3, createBot],
  [0.2, ({ call, known }, actor) => call(actor, 'DELETE', `/bots/${known.pick('spare bot')}`)],
  [1, emptyQueue],
  [1, press],
  [1, openForm],
  [0.7, submitForm],
]
