// How what the client shows differs from what it shows after a fresh start, in words.
import { isDeepStrictEqual } from 'node:util'
import { isListed } from '../../web/compiled/chats/listing.js'

/** Counted by the server once it is quiet. */
const COUNTED_ANEW = ['unread_threads']

function differencesBeside({ people: seen, ...own }, { people: anew, ...fresh }, unsure) {
  // That a bot is deleted is told to those alone who may change it.
  const known = (unsure.has('people') ? [] : [...anew]).filter(
    ([id, person]) =>
      seen.has(id) && !(person.bot && person.deleted) && !isDeepStrictEqual(seen.get(id), person),
  )
  return [
    ...known.map(([id, person]) => `shows ${JSON.stringify(seen.get(id))} for ${JSON.stringify(person)}`),
    ...Object.keys(fresh).flatMap((area) =>
      differencesIn(area, entriesOf(own[area]), entriesOf(fresh[area])),
    ),
  ]
}

/** Settings of chats that the person left are kept, and hold again once they are back. */
const withoutLeft = ({ notifications, ...more }, cards) => ({
  ...more,
  notifications: {
    ...notifications,
    chats: notifications.chats.filter(({ chat_id }) => cards.get(chat_id)?.my_role),
  },
})

/** Of what the start gives besides chats; `cards` are the chats of the person. */
export function differencesAround(own, fresh, { cards, unsure }) {
  return differencesBeside(withoutLeft(own, cards), withoutLeft(fresh, cards), unsure)
}

const entriesOf = (state) => (state instanceof Map ? Object.fromEntries(state) : state)

const differencesIn = (area, own, fresh) =>
  differing(own, fresh, COUNTED_ANEW).map(
    (name) => `shows ${area} ${name} ${JSON.stringify(own[name])} for ${JSON.stringify(fresh[name])}`,
  )

/** A line about a chat is its last message until the next start. */
const SHOWN_LIVE = ['last_message', 'last_message_at']
/** Shown as the name of the person. */
const SHOWN_OF_PERSON = ['name']

function differing(one, other, apart = []) {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (name) => !apart.includes(name),
  )
  return names.filter((name) => !isDeepStrictEqual(one[name], other[name]))
}

export function differencesOfCards(own, fresh, unsure) {
  const listed = [...own.values()].filter(isListed)
  const lacks = fresh.filter(({ id }) => !own.has(id)).map(({ id }) => `lacks chat ${id}`)
  const gone = listed
    .filter(({ id }) => !fresh.some((card) => card.id === id))
    .map(({ id }) => `still has chat ${id}`)
  const others = fresh.flatMap((card) => {
    const seen = own.get(card.id)
    const apart = [...SHOWN_LIVE, ...unsure, ...(card.kind === 'personal' ? SHOWN_OF_PERSON : [])]
    const names = seen ? differing(seen, card, apart) : []
    return names.map(
      (name) =>
        `shows ${name} ${JSON.stringify(seen[name])} for ${JSON.stringify(card[name])} in chat ${card.id}`,
    )
  })
  return [...lacks, ...gone, ...others]
}

/** How much of a thread is unread is shown by its card, where there is one. */
function shownIn(own, { thread, ...message }) {
  const unread_count = thread ? own.get(thread.chat_id)?.unread_count : undefined
  return { ...message, thread: unread_count === undefined ? thread : { ...thread, unread_count } }
}

/** Of the messages of a chat, `messages` as they are known and `fresh` as they are read anew. */
export function differencesOfRun(messages, fresh, own) {
  const seen = new Map(messages.map((message) => [message.id, message]))
  return fresh.flatMap((message) => {
    const had = seen.get(message.id)
    if (!had) return [`lacks message ${message.id} of chat ${message.chat_id}`]
    return differing(shownIn(own, had), message).map(
      (name) =>
        `shows ${name} ${JSON.stringify(had[name])} for ${JSON.stringify(message[name])} of message ${message.id}`,
    )
  })
}
