// What the client of a person asks and sets while they read.

const place = (known) => (known.chance(0.7) ? { message_id: known.pick('message') } : {})
const anyChat = (known) => known.pick(known.chance(0.3) ? 'thread chat' : 'chat')
/** Of a person, with the login of the client. */
const own =
  (path, method = 'GET') =>
  (stage, actor) =>
    stage.call(actor.session ?? actor, method, typeof path === 'function' ? path(stage.known) : path)

export const readingDeeds = [
  [
    5,
    ({ call, known }, actor) =>
      call(actor.session ?? actor, 'PUT', `/chats/${anyChat(known)}/read`, place(known)),
  ],
  [
    2,
    ({ call, known }, actor) =>
      call(actor.session ?? actor, 'PUT', `/chats/${anyChat(known)}/unread`, place(known)),
  ],
  [0.3, own('/unread/read_all', 'PUT')],
  [1, own('/start')],
  [1, own('/start/chats?limit=20')],
  [1, own('/unread')],
  [1, own('/mentions')],
  [1, own('/threads/inbox')],
  [1, own('/notices')],
  [1, own('/threads')],
  [1, own((known) => `/chats/${anyChat(known)}/timeline?first_unread=true`)],
  [1, own((known) => `/chats/${anyChat(known)}/card`)],
  [1, own((known) => `/chats/${anyChat(known)}/roster`)],
  [1, own((known) => `/chats/${anyChat(known)}/files`)],
  [1, own((known) => `/chats/${anyChat(known)}/pins`)],
  [1, own((known) => `/chats/${known.pick('chat')}/members`)],
  [1, own((known) => `/messages?chat_id=${anyChat(known)}&limit=20`)],
  [1, own((known) => `/messages/${known.pick('message')}`)],
  [1, own((known) => `/messages/${known.pick('message')}/read_member_ids`)],
  [1, own((known) => `/messages/${known.pick('message')}/reactions`)],
  [1, own('/chats?limit=20')],
  [1, own('/search/messages?query=edited')],
  [1, own('/search/users?query=user')],
  [1, own('/people?query=u')],
  [1, own('/lookup/chats?query=w')],
  [0.5, own((known) => `/chats/${known.pick('chat')}/typing`, 'POST')],
  [
    1,
    ({ call, known }, actor) =>
      call(actor.session ?? actor, 'PUT', `/chats/${known.pick('chat')}/notifications`, {
        level: known.one(['all', 'mentions', 'nothing', null]),
        muted_until: null,
      }),
  ],
  [
    0.5,
    ({ call, known }, actor) =>
      call(actor.session ?? actor, 'PUT', '/notices/read', { notice_id: known.below(200) + 1 }),
  ],
]
