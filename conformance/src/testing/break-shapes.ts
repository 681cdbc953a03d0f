import { answers, type Breakage, breaks, errors, whenever } from './break.js'

const CREATED = ['MSG-001', 'createMessage/answer']
const CHAT = ['CHAT-001', 'createChat/answer']
const TASKS = ['TASK-006', 'listTasks/answer']

/** Answers that are not of the contract. */
export const SHAPES: readonly Breakage[] = [
  breaks(
    'a field is missing',
    CREATED,
    answers('POST /messages', ({ data }) => delete data.user_id),
  ),
  breaks(
    'a field that is null is left out',
    ['MSG-001', 'getMessage/answer'],
    answers('GET /messages/{id}', ({ data }) => delete data.deleted_at),
  ),
  breaks(
    'a field of an item is missing',
    TASKS,
    answers('GET /tasks', ({ data }) =>
      data.forEach((task: { status?: string }) => {
        delete task.status
      }),
    ),
  ),
  breaks(
    'a number is text',
    CHAT,
    answers('POST /chats', ({ data }) => {
      data.owner_id = String(data.owner_id)
    }),
  ),
  breaks(
    'a list is null',
    CHAT,
    answers('POST /chats', ({ data }) => {
      data.group_tag_ids = null
    }),
  ),
  breaks(
    'a word is not of its list',
    CREATED,
    answers('POST /messages', ({ data }) => {
      data.entity_type = 'room'
    }),
  ),
  breaks(
    'a task has another kind',
    ['TASK-001', 'createTask/answer'],
    answers('POST /tasks', ({ data }) => {
      data.kind = 'nap'
    }),
  ),
  breaks(
    'a time has no milliseconds',
    CREATED,
    answers('POST /messages', ({ data }) => {
      data.created_at = data.created_at.replace(/\.\d+Z/, 'Z')
    }),
  ),
  breaks(
    'a time has an offset',
    CHAT,
    answers('POST /chats', ({ data }) => {
      data.created_at = data.created_at.replace('Z', '+00:00')
    }),
  ),
  breaks(
    'a creation answers 200',
    CHAT,
    answers('POST /chats', (_, reply) => {
      reply.status = 200
    }),
  ),
  breaks(
    'an answer without content answers 200',
    ['PIN-001', 'pinMessage/answer'],
    answers('POST /messages/{id}/pin', (_, reply) => {
      reply.status = 200
    }),
  ),
  breaks(
    'JSON is called text',
    CHAT,
    answers('POST /chats', (_, reply) => {
      reply.headers['content-type'] = 'text/plain'
    }),
  ),
  breaks(
    'a bare answer is wrapped',
    ['REACT-001', 'addReaction/answer'],
    answers('POST /messages/{id}/reactions', (body, reply) => {
      reply.body = { data: body }
    }),
  ),
  breaks(
    'an answer lacks its envelope',
    ['CHAT-002', 'getChat/answer'],
    answers('GET /chats/{id}', (body, reply) => {
      reply.body = body.data
    }),
  ),
  breaks(
    'no status is an empty envelope',
    ['PROFILE-003', 'getOwnStatus/answer'],
    answers('GET /profile/status', (body, reply) => {
      if (body === null) reply.body = {}
    }),
  ),
  breaks(
    'the id of the request is missing',
    CHAT,
    answers('POST /chats', (_, reply) => delete reply.headers['x-request-id']),
  ),
  breaks(
    'a cursor is null',
    TASKS,
    answers('GET /tasks', ({ meta }) => {
      meta.paginate.next_page = null
    }),
  ),
  breaks(
    'a list has no meta',
    TASKS,
    answers('GET /tasks', (body) => delete body.meta),
  ),
  breaks(
    'an error has another code',
    ['CHAT-003', 'createChat/answer'],
    errors(422, (items) =>
      items.forEach((item) => {
        item.code = 'invalid'
      }),
    ),
  ),
  breaks(
    'an error has a code that does not exist',
    ['CHAT-003', 'createChat/answer'],
    errors(422, (items) =>
      items.forEach((item) => {
        item.code = 'teapot'
      }),
    ),
  ),
  breaks(
    'an error names no field',
    ['CHAT-003', 'createChat/answer'],
    errors(422, (items) =>
      items.forEach((item) => {
        item.key = 'base'
      }),
    ),
  ),
  breaks(
    'an error names its wrapper',
    ['CHAT-003'],
    errors(422, (items) =>
      items.forEach((item) => {
        item.key = `chat.${item.key}`
      }),
    ),
  ),
  breaks(
    'an error lacks its payload',
    ['CHAT-003', 'createChat/answer'],
    errors(422, (items) =>
      items.forEach((item) => {
        delete item.payload
      }),
    ),
  ),
  breaks(
    'an error does not say what was wrong',
    ['REQ-003'],
    errors(400, (items) =>
      items.forEach((item) => {
        item.value = null
      }),
    ),
  ),
  breaks(
    'only the first fault is told',
    ['REQ-003'],
    errors(400, (items) => items.splice(1)),
  ),
  breaks(
    'an error is a text',
    ['CHAT-003', 'createChat/answer'],
    whenever(422, (reply) => {
      reply.body = { message: 'no' }
    }),
  ),
  breaks(
    'a fault of a body is 400',
    ['CHAT-003'],
    whenever(422, (reply) => {
      reply.status = 400
    }),
  ),
  breaks(
    'a refusal is not explained',
    ['WHY-001'],
    whenever(403, ({ body }) => delete body.explanation),
  ),
  breaks(
    'an error does not tell the limit',
    ['WHY-002'],
    errors(422, (items) =>
      items.forEach((item) => {
        item.message = 'is too long'
      }),
    ),
  ),
  breaks(
    'the server fails where it should refuse',
    ['getChat/unknown', 'getChat/answer'],
    whenever(404, (reply) => {
      reply.status = 500
    }),
  ),
  breaks(
    'what does not exist is forbidden',
    ['getChat/unknown'],
    whenever(404, (reply) => {
      reply.status = 403
    }),
  ),
  breaks(
    'what is closed does not exist',
    ['CHAT-005'],
    whenever(403, (reply) => {
      reply.status = 404
    }),
  ),
  breaks(
    'a refusal of the token has no challenge',
    ['listChats/token', 'listChats/answer'],
    whenever(401, (reply) => delete reply.headers['www-authenticate']),
  ),
  breaks(
    'a refusal of the token has another word',
    ['listChats/token'],
    whenever(401, ({ body }) => {
      body.error = 'unauthorized'
    }),
  ),
  breaks(
    'a refusal of the token is an API error',
    ['listChats/token', 'listChats/answer'],
    whenever(401, (reply) => {
      reply.body = { errors: [] }
    }),
  ),
  breaks(
    'a missing scope is not named',
    ['listChats/scope'],
    whenever(403, ({ body }) => {
      body.error_description = 'Insufficient scope.'
    }),
  ),
  breaks(
    'broken JSON is 422',
    ['createChat/json'],
    whenever(400, (reply) => {
      reply.status = 422
    }),
  ),
  breaks(
    'a missing member is not named',
    ['createChat/missing'],
    errors(400, (items) =>
      items.forEach((item) => {
        item.key = 'base'
      }),
    ),
  ),
]
