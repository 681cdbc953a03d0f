import { accepts, answers, asFirstCaller, type Breakage, breaks, forgets, ignores } from './break.js'
import type { Json, Mutation } from './proxy.js'

/** Adds those that exist, and refuses all the same. */
function addsInPart(): Mutation {
  return {
    request(exchange) {
      const { body, path } = exchange
      if (!path.endsWith('/members') || !body?.member_ids?.includes(2_147_483_000)) return undefined
      const [known] = body.member_ids
      body.member_ids = [known]
      return undefined
    },
    reply(reply, { method, path }) {
      if (method !== 'POST' || !path.endsWith('/members') || reply.status !== 204) return
      const error = {
        key: 'member_ids',
        value: '2147483000',
        message: 'was not found',
        code: 'not_found',
        payload: null,
      }
      Object.assign(reply, {
        status: 404,
        body: { errors: [error] },
        headers: { 'content-type': 'application/json' },
      })
    },
  }
}

/** Answers an edit, and keeps the text as it was. */
function keepsText(): Mutation {
  let content: string | undefined
  return {
    request({ method, path, body }) {
      if (method === 'POST' && path === '/v1/messages') content = body.message.content
      if (method === 'PUT' && body?.message) body.message.content = content
      return undefined
    },
  }
}

/** Shows a deleted message as it was. */
function remembersText(): Mutation {
  let sent: Json
  return {
    reply({ body, status }, { method, path }) {
      if (method === 'POST' && path === '/v1/messages' && status === 201) sent = body.data
      if (method === 'GET' && sent && path === `/v1/messages/${sent.id}`) body.data.content = sent.content
    },
  }
}

/** The second of the same calls answers what the first did. */
function sharesKeys(): Mutation {
  let first: Json
  return {
    reply(reply, { headers }) {
      if (!headers['idempotency-key']) return
      if (first) reply.body = first
      else first = reply.body
    },
  }
}

/** Does the write of a dry run. */
function runsWet(): Mutation {
  let told: Record<string, string> = {}
  return {
    request({ headers }) {
      if (headers['parley-dry-run'])
        told = { 'parley-dry-run': 'true', 'parley-would': 'events=1; deliveries=0; notices=0' }
      delete headers['parley-dry-run']
      return undefined
    },
    reply(reply, { method }) {
      if (method === 'POST') Object.assign(reply.headers, told)
    },
  }
}

const SHOWN = { id: 1, name: 'tag', users_count: 0 }

/** Writes that are not done as the API says. */
export const WRITES: readonly Breakage[] = [
  breaks(
    'the Idempotency-Key is passed over',
    ['KEY-001'],
    ignores('POST /messages', ({ headers }) => delete headers['idempotency-key']),
  ),
  breaks(
    'a used Idempotency-Key takes another body',
    ['KEY-002'],
    ignores('POST /messages', ({ headers }) => delete headers['idempotency-key']),
  ),
  breaks('an Idempotency-Key is of all tokens', ['KEY-003'], sharesKeys),
  breaks('a dry run writes', ['DRY-001'], runsWet),
  breaks(
    'a dry run is passed over in silence',
    ['DRY-001'],
    ignores('POST /messages', ({ headers }) => delete headers['parley-dry-run']),
  ),
  breaks('an edit is not kept', ['MSG-008'], keepsText),
  breaks(
    'an edit does not move changed_at',
    ['MSG-008'],
    answers('PUT /messages/{id}', ({ data }) => {
      data.changed_at = data.created_at
    }),
  ),
  breaks('anybody edits', ['MSG-009'], asFirstCaller('PUT /messages/{id}')),
  breaks('a deleted message stays', ['MSG-010'], forgets('DELETE /messages/{id}')),
  breaks('a deleted message keeps its text', ['MSG-010'], remembersText),
  breaks('a deleted message takes edits', ['MSG-011'], accepts('PUT /messages/{id}', 200, { data: {} })),
  breaks('anybody deletes', ['MSG-012'], accepts('DELETE /messages/{id}', 204)),
  breaks(
    'the parent of an answer is lost',
    ['MSG-013'],
    ignores('POST /messages', ({ body }) => delete body.message.parent_message_id),
  ),
  breaks(
    'mentions are left as they are',
    ['MSG-014'],
    answers('POST /messages', ({ data }, _, { body }) => {
      data.content = body.message.content
    }),
  ),
  breaks(
    'buttons get lost',
    ['MSG-015'],
    ignores('POST /messages', ({ body }) => delete body.message.buttons),
  ),
  breaks(
    'the author is among the readers',
    ['MSG-018'],
    answers('GET /messages/{id}/read_member_ids', ({ data }) => data.unshift(1)),
  ),
  breaks(
    'long texts are cut',
    ['MSG-003'],
    ignores('POST /messages', ({ body }) => {
      body.message.content = body.message.content.slice(0, 100)
    }),
  ),
  breaks(
    'people write under another name',
    ['MSG-017'],
    ignores('POST /messages', ({ body, headers }) => {
      if (headers.authorization) delete body.message.display_name
    }),
  ),
  breaks(
    'an update resets what was not sent',
    ['CHAT-007'],
    ignores('PUT /chats/{id}', ({ body }) => {
      body.chat.public ??= false
    }),
  ),
  breaks('a closed chat is open to all', ['CHAT-005'], asFirstCaller('GET /chats/{id}')),
  breaks('members change a closed chat', ['CHAT-008'], asFirstCaller('PUT /chats/{id}')),
  breaks('archiving does nothing', ['CHAT-012'], forgets('PUT /chats/{id}/archive')),
  breaks(
    'last_message_at stands still',
    ['CHAT-014'],
    answers('GET /chats/{id}', ({ data }) => {
      data.last_message_at = data.created_at
    }),
  ),
  breaks('an unknown member is passed over', ['MEMBER-002'], forgets('POST /chats/{id}/members')),
  breaks('those who exist are added all the same', ['MEMBER-002'], addsInPart),
  breaks('a removed member stays', ['MEMBER-004'], forgets('DELETE /chats/{id}/members/{user_id}')),
  breaks('a role is not kept', ['MEMBER-006'], forgets('PUT /chats/{id}/members/{user_id}')),
  breaks('the same role again is fine', ['MEMBER-006'], accepts('PUT /chats/{id}/members/{user_id}', 204)),
  breaks('leaving does nothing', ['MEMBER-008'], forgets('DELETE /chats/{id}/leave')),
  breaks('a bot is added by anybody', ['MEMBER-011'], accepts('POST /chats/{id}/members', 204)),
  breaks(
    'a reaction counts twice',
    ['REACT-002'],
    answers('GET /messages/{id}/reactions', ({ data }) => data.push(...data)),
  ),
  breaks('a removed reaction stays', ['REACT-003'], forgets('DELETE /messages/{id}/reactions')),
  breaks('any text is an emoji', ['REACT-004'], accepts('POST /messages/{id}/reactions', 201, {})),
  breaks('reactions have no limit', ['REACT-005'], accepts('POST /messages/{id}/reactions', 201)),
  breaks('a message is pinned twice', ['PIN-001'], accepts('POST /messages/{id}/pin', 204)),
  breaks(
    'a message has two threads',
    ['THREAD-002'],
    answers('POST /messages/{id}/thread', ({ data }) => {
      data.id += Math.floor(performance.now())
    }),
  ),
  breaks('threads have threads', ['THREAD-003'], accepts('POST /messages/{id}/thread', 201)),
  breaks(
    'a thread does not move up',
    ['THREAD-004'],
    answers('GET /threads/{id}', ({ data }) => {
      data.updated_at = '2020-01-01T00:00:00.000Z'
    }),
  ),
  breaks('a place has two drafts', ['DRAFT-002'], accepts('POST /drafts', 201)),
  breaks('the draft that is there is not named', ['DRAFT-002'], () => ({
    reply: ({ body }) => {
      if (body?.errors) body.errors[0].payload = null
    },
  })),
  breaks('drafts are read by others', ['DRAFT-004'], asFirstCaller('GET /drafts/{id}')),
  breaks(
    'the next sending is a day late',
    ['DRAFT-005'],
    answers('POST /drafts', ({ data }) => {
      if (data.next_send_at) data.next_send_at = data.next_send_at.replace('03-01', '03-02')
    }),
  ),
  breaks(
    'a scheduled message is sent twice',
    ['DRAFT-009'],
    answers('GET /messages', ({ data }) => data.push(...data)),
  ),
  breaks(
    'the kind of a task is not checked',
    ['TASK-003'],
    ignores('POST /tasks', ({ body }) => {
      body.task.kind = 'call'
    }),
  ),
  breaks('a deleted task stays', ['TASK-004'], forgets('DELETE /tasks/{id}')),
  breaks(
    'seconds are kept',
    ['TASK-007'],
    answers('POST /tasks', ({ data }) => {
      data.due_at = '2031-05-04T09:30:45.000Z'
    }),
  ),
  breaks('two tags have one name', ['TAG-002'], accepts('POST /group_tags', 201, { data: SHOWN })),
  breaks(
    'a tag brings nobody into its chat',
    ['TAG-006'],
    forgets('POST /chats/{id}/group_tags', ({ body }) => body.group_tag_ids.length === 1),
  ),
  breaks('two people have one address', ['USER-002'], accepts('POST /users', 201)),
  breaks('a deleted person stays', ['USER-001'], forgets('DELETE /users/{id}')),
  breaks(
    'a status is reset by an update in part',
    ['PROFILE-003'],
    ignores('PUT /profile/status', ({ body }) => {
      body.status.emoji ??= '🙂'
    }),
  ),
]
