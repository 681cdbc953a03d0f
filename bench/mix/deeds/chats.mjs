// Chats, threads and who is in them.
import { word } from './words.mjs'

async function createChat({ call, known }, actor) {
  const chat = {
    name: word(known),
    member_ids: known.some('user', 3),
    channel: known.chance(0.3),
    public: known.chance(0.4),
    ...(known.chance(0.2) ? { group_tag_ids: known.some('tag', 2) } : {}),
  }
  const { data } = await call(actor, 'POST', '/chats', { chat })
  if (data) known.add('chat', data.id)
}

async function createThread({ call, known }, actor) {
  const { data } = await call(actor, 'POST', `/messages/${known.pick('message')}/thread`)
  if (!data) return
  known.add('thread', data.id)
  known.add('thread chat', data.chat_id)
}

async function createStandaloneThread({ call, known }, actor) {
  const { data } = await call(actor, 'POST', '/threads')
  if (!data) return
  known.add('thread', data.id)
  known.add('thread chat', data.chat_id)
}

const anyChat = (known) => known.pick(known.chance(0.2) ? 'thread chat' : 'chat')

export const chatDeeds = [
  [2, createChat],
  [3, createThread],
  [0.3, createStandaloneThread],
  [
    5,
    ({ call, known }, actor) =>
      call(actor, 'POST', `/chats/${anyChat(known)}/members`, {
        member_ids: known.some('user', 4),
        silent: known.chance(0.5),
      }),
  ],
  [
    4,
    ({ call, known }, actor) =>
      call(actor, 'DELETE', `/chats/${anyChat(known)}/members/${known.pick('user')}`),
  ],
  [
    2,
    ({ call, known }, actor) =>
      call(actor, 'PUT', `/chats/${anyChat(known)}/members/${known.pick('user')}`, {
        role: known.one(['admin', 'editor', 'member']),
      }),
  ],
  [2, ({ call, known }, actor) => call(actor, 'DELETE', `/chats/${anyChat(known)}/leave`)],
  [0.6, ({ call, known }, actor) => call(actor, 'PUT', `/chats/${known.pick('chat')}/archive`)],
  [0.8, ({ call, known }, actor) => call(actor, 'PUT', `/chats/${known.pick('chat')}/unarchive`)],
  [
    1,
    ({ call, known }, actor) =>
      call(actor, 'PUT', `/chats/${known.pick('chat')}`, {
        chat: { name: word(known), public: known.chance(0.5) },
      }),
  ],
  [
    2,
    ({ call, known }, actor) =>
      call(actor.session ?? actor, 'PUT', `/threads/${known.pick('thread')}/follow`, {
        following: known.chance(0.5),
      }),
  ],
]
