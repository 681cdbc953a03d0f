import {
  accepts,
  answers,
  asFirstCaller,
  type Breakage,
  breaks,
  forgets,
  ignores,
  webhooks,
  whenever,
} from './break.js'
import type { Json, Mutation, Webhook } from './proxy.js'

/** Holds the first webhook back until the second has gone out. */
function turnsRound(): Mutation {
  let held: Webhook | undefined
  let count = 0
  return {
    async webhook(webhook, deliver) {
      count += 1
      if (count === 1) {
        held = webhook
        return 200
      }
      const status = await deliver(webhook)
      if (held) await deliver(held)
      held = undefined
      return status
    },
  }
}

const twice = (): Mutation => ({
  async webhook(webhook, deliver) {
    await deliver(webhook)
    return deliver(webhook)
  },
})

/** Tells the server that all is well. */
const takesAnyAnswer = (): Mutation => ({
  async webhook(webhook, deliver) {
    await deliver(webhook)
    return 200
  },
})

function renumbers(): Mutation {
  let count = 0
  return webhooks(({ headers }) => {
    count += 1
    headers['webhook-id'] = `attempt_${count}`
  })()
}

const inBody = (change: (body: Json) => void) =>
  webhooks((webhook) => {
    const body = JSON.parse(webhook.body)
    change(body)
    webhook.body = JSON.stringify(body)
  })

/** The queue is empty when it has been read. */
function readsOnce(): Mutation {
  let reads = 0
  return answers('GET /webhooks/events', (body) => {
    if (body.data.length === 0) return
    reads += 1
    if (reads > 1) body.data = []
  })()
}

const flip = (hex: string) => (hex.startsWith('0') ? `1${hex.slice(1)}` : `0${hex.slice(1)}`)

/** Bots, webhooks, queues, files, forms and limits that do not work as the API says. */
export const PROGRAMS: readonly Breakage[] = [
  breaks(
    'the signature is wrong',
    ['HOOK-002'],
    webhooks(({ headers }) => {
      for (const [name, value] of Object.entries(headers))
        if (/^[0-9a-f]{64}$/.test(value)) headers[name] = flip(value)
    }),
  ),
  breaks(
    'the signature is missing',
    ['HOOK-002'],
    webhooks(({ headers }) => {
      for (const [name, value] of Object.entries(headers))
        if (/^[0-9a-f]{64}$/.test(value)) delete headers[name]
    }),
  ),
  breaks(
    'the body is changed after signing',
    ['HOOK-003'],
    webhooks((webhook) => {
      webhook.body = webhook.body.replace('"message"', '"Message"')
    }),
  ),
  breaks(
    'the standard signature is of another key',
    ['HOOK-003'],
    webhooks(({ headers }) => {
      headers['webhook-signature'] = `v1,${Buffer.alloc(32).toString('base64')}`
    }),
  ),
  breaks('webhooks come in another order', ['HOOK-004'], turnsRound),
  breaks('a webhook comes twice', ['HOOK-005'], twice),
  breaks('no webhook comes', ['HOOK-001'], () => ({ webhook: async () => 200 })),
  breaks('a failed webhook is not sent again', ['HOOK-006'], takesAnyAnswer),
  breaks('later webhooks do not wait', ['HOOK-007'], takesAnyAnswer),
  breaks('each attempt has an id of its own', ['HOOK-006'], renumbers),
  breaks(
    'a field of a webhook is missing',
    ['HOOK-001'],
    inBody((body) => delete body.chat_id),
  ),
  breaks(
    'a webhook has another event',
    ['HOOK-001'],
    inBody((body) => {
      body.event = 'created'
    }),
  ),
  breaks(
    'the time of sending is in milliseconds',
    ['HOOK-003'],
    inBody((body) => {
      body.webhook_timestamp *= 1000
    }),
  ),
  breaks(
    'a deletion tells the text',
    ['HOOK-008'],
    inBody((body) => {
      if (body.event === 'delete') body.content = 'secret'
    }),
  ),
  breaks(
    'events that were not asked for come',
    ['HOOK-008'],
    ignores('POST /bots', ({ body }) => body.webhook.events?.push('message_new')),
  ),
  breaks(
    'commands are not looked at',
    ['HOOK-009'],
    ignores('POST /bots', ({ body }) => {
      if (body.webhook.trigger_on === 'commands') body.webhook.trigger_on = 'all_messages'
    }),
  ),
  breaks(
    'a bot hears itself',
    ['HOOK-011'],
    ignores('POST /bots', ({ body }) => delete body.webhook.ignore_self_messages),
  ),
  breaks('webhooks cannot be turned off', ['HOOK-012'], () => ({
    request: ({ method, path, body }) =>
      method === 'PUT' && path === '/v1/bot/webhook' && body.webhook.outgoing_url === ''
        ? {
            status: 200,
            headers: { 'content-type': 'application/json' },
            body: { data: { webhook: { outgoing_url: '' } } },
          }
        : undefined,
  })),
  breaks('a redelivery sends nothing', ['HOOK-013'], () => ({
    request: ({ path }) =>
      path.endsWith('/redeliver')
        ? { status: 202, headers: { 'content-type': 'application/json' }, body: {} }
        : undefined,
  })),
  breaks('reading empties the queue', ['QUEUE-002'], readsOnce),
  breaks('a deleted event stays in the queue', ['QUEUE-002'], forgets('DELETE /webhooks/events/{id}')),
  breaks(
    'the queue is oldest first',
    ['QUEUE-001'],
    answers('GET /webhooks/events', ({ data }) => data.reverse()),
  ),
  breaks(
    'events are kept without being asked for',
    ['QUEUE-004'],
    ignores('POST /bots', ({ body }) => {
      body.webhook.events_history_enabled = true
    }),
  ),
  breaks(
    'an inbound message is nobody’s',
    ['INBOUND-001'],
    answers('GET /messages', ({ data }) =>
      data.forEach((message: { user_id: number }) => {
        message.user_id = 1
      }),
    ),
  ),
  breaks(
    'a read shows the token of a bot',
    ['BOT-001'],
    answers('GET /bots/{id}', ({ data }) => {
      data.access_token = 'secret'
    }),
  ),
  breaks(
    'an update takes a setting that is fixed',
    ['BOT-003'],
    answers('PUT /bots/{id}', ({ data }) => {
      data.webhook.single_chat = true
    }),
  ),
  breaks('two bots have one nickname', ['BOT-002'], accepts('PUT /bots/{id}', 200, { data: {} })),
  breaks('a deleted bot keeps its token', ['BOT-005'], forgets('DELETE /bots/{id}')),
  breaks(
    'tokens are shown whole',
    ['PROFILE-002'],
    answers('GET /oauth/token/info', ({ data }, _, { headers }) => {
      data.token = headers.authorization?.slice(7)
    }),
  ),
  breaks(
    'tokens of a list are shown whole',
    ['BOT-006'],
    answers('GET /bots/{id}/tokens', ({ data }) =>
      data.forEach((token: { token: string }) => {
        token.token = 'x'.repeat(43)
      }),
    ),
  ),
  breaks(
    'a new token has every scope',
    ['BOT-007'],
    ignores('POST /bots/{id}/tokens', ({ body }) => {
      body.scopes ??= ['chats:read']
    }),
  ),
  breaks('a replaced token goes on working', ['BOT-010'], accepts('GET /oauth/token/info', 200)),
  breaks('a bot for one chat is in two', ['BOT-013'], accepts('POST /chats/{id}/members', 204)),
  breaks('scopes are not looked at', ['listChats/scope'], accepts('GET /chats', 200, { data: [] })),
  breaks('roles are not looked at', ['listDrafts/role'], accepts('GET /drafts', 200, { data: [] })),
  breaks('no token is needed', ['listChats/token'], accepts('GET /chats', 200, { data: [] })),
  breaks(
    'a token in the query works',
    ['REQ-005'],
    ignores('GET /profile', ({ query, headers }) => {
      headers.authorization = `Bearer ${query.get('token')}`
    }),
  ),
  breaks(
    'a 429 does not say how long',
    ['LIMIT-001'],
    whenever(429, (reply) => delete reply.headers['retry-after']),
  ),
  breaks(
    'a 429 says how long in words',
    ['LIMIT-001'],
    whenever(429, (reply) => {
      reply.headers['retry-after'] = 'soon'
    }),
  ),
  breaks(
    'a 429 is JSON',
    ['LIMIT-001'],
    whenever(429, (reply) => {
      reply.headers['content-type'] = 'application/json'
      reply.body = { errors: [] }
    }),
  ),
  breaks('there are no limits', ['LIMIT-001'], accepts('POST /messages', 201)),
  breaks(
    'what is left of a window is not told',
    ['LIMIT-002'],
    answers('GET /profile', (_, reply) => delete reply.headers.ratelimit),
  ),
  breaks(
    'files have another name',
    ['FILE-002'],
    answers('POST /messages', ({ data }) => {
      if (data.files[0]) data.files[0].name = 'file'
    }),
  ),
  breaks(
    'the link of a file leads nowhere',
    ['FILE-002'],
    answers('POST /messages', ({ data }) => {
      if (data.files[0]) data.files[0].url += 'x'
    }),
  ),
  breaks('files of others are attached', ['FILE-004'], asFirstCaller('POST /messages')),
  breaks(
    'files that were not uploaded are attached',
    ['FILE-005'],
    accepts('POST /messages', 201, { data: {} }),
  ),
  breaks('a search finds what is closed', ['SEARCH-001'], asFirstCaller('GET /search/messages')),
  breaks('deleted messages are found', ['SEARCH-002'], forgets('DELETE /messages/{id}')),
  breaks('a trigger opens two forms', ['FORM-004'], accepts('POST /views/open', 201)),
  breaks('a trigger is good for ever', ['FORM-005'], accepts('POST /views/open', 201)),
  breaks(
    'a press tells nothing of its button',
    ['FORM-003'],
    answers('GET /webhooks/events', ({ data }) =>
      data.forEach((event: Json) => {
        delete event.payload.data
      }),
    ),
  ),
  breaks(
    'a token for reading writes',
    ['LEASH-001'],
    ignores('POST /bots/{id}/tokens', ({ body }) => delete body.limits),
  ),
  breaks(
    'a token sees chats outside its limits',
    ['LEASH-002'],
    ignores('POST /bots/{id}/tokens', ({ body }) => delete body.limits),
  ),
]
