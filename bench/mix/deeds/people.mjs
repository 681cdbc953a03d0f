// People and tags: who they are, and who is there at all.
import { word } from './words.mjs'

async function createUser({ call, known }, actor) {
  const name = word(known)
  const user = {
    email: `${name}@example.org`,
    nickname: name,
    first_name: name,
    role: known.one(['user', 'user', 'admin', 'multi_guest']),
    ...(known.chance(0.4) ? { list_tags: tagNames(known) } : {}),
    ...(known.chance(0.4) ? { chat_ids: known.some('chat', 3) } : {}),
  }
  const { data } = await call(actor, 'POST', '/users', { user, skip_email_notify: known.chance(0.5) })
  if (data) known.add('passer-by', known.add('user', data.id))
}

const tagNames = (known) => known.some('tag name', 3)

async function createTag({ call, known }, actor) {
  const name = word(known)
  const { data } = await call(actor, 'POST', '/group_tags', { group_tag: { name } })
  if (!data) return
  known.add('tag', data.id)
  known.add('tag name', name)
}

/** Those who act are suspended for a moment alone, so that something goes on. */
const update =
  (change, kind = 'user') =>
  ({ call, known }, actor) =>
    call(actor, 'PUT', `/users/${known.pick(kind)}`, { user: change(known) })

export const peopleDeeds = [
  [1, createUser],
  [1, ({ call, known }, actor) => call(actor, 'DELETE', `/users/${known.pick('passer-by')}`)],
  [3, update((known) => ({ list_tags: tagNames(known) }))],
  [1, update((known) => ({ suspended: known.chance(0.5) }), 'passer-by')],
  [0.3, update(() => ({ suspended: true }))],
  [1.5, update(() => ({ suspended: false }))],
  [0.7, update((known) => ({ role: known.one(['user', 'admin', 'multi_guest']) }), 'passer-by')],
  [0.5, update((known) => ({ first_name: word(known) }))],
  [1, createTag],
  [0.3, ({ call, known }, actor) => call(actor, 'DELETE', `/group_tags/${known.pick('tag')}`)],
  [
    0.3,
    async ({ call, known }, actor) => {
      const name = word(known)
      const { ok } = await call(actor, 'PUT', `/group_tags/${known.pick('tag')}`, { group_tag: { name } })
      if (ok) known.add('tag name', name)
    },
  ],
  [
    2,
    ({ call, known }, actor) =>
      call(actor, 'POST', `/chats/${known.pick('chat')}/group_tags`, { group_tag_ids: known.some('tag', 2) }),
  ],
  [
    2,
    ({ call, known }, actor) =>
      call(actor, 'DELETE', `/chats/${known.pick('chat')}/group_tags/${known.pick('tag')}`),
  ],
]
