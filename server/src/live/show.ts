import { readCards } from '../chats/cards.js'
import { loadDraftsById } from '../drafts/load.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { RelayedEvent } from '../platform/events/relay.js'
import { presentFor, readShared, type SharedMessage } from '../timeline/shared.js'
import { type OwnFacts, readOwnFacts } from '../timeline/shared-queries.js'
import { loadPeople } from '../users/person-cards.js'
import type { Hears } from './audience.js'

type Viewer = Pick<Actor, 'user_id' | 'role'>

/** The fields of a frame besides the event, as the rest of a JSON object: empty, or with a leading comma. */
export type Showing = (event: RelayedEvent, viewer: Viewer) => string

const ABOUT_CHAT = /^chat\./
const ABOUT_PEOPLE = /^(user|company_members|chat_members)\./
const PEOPLE_AT_MOST = 50

function messageIdOf({ type, payload }: RelayedEvent): number | null {
  return type !== 'read.moved' && 'message_id' in payload ? payload.message_id : null
}

/** The chat whose card this viewer gets with the event: a changed one, one just joined, one just read. */
function cardOf({ type, chat_id, payload }: RelayedEvent, viewer: Viewer): number | null {
  if (ABOUT_CHAT.test(type)) return chat_id
  const joined = type === 'chat_members.added' && payload.user_ids.includes(viewer.user_id)
  const read = type === 'read.moved' && payload.user_id === viewer.user_id
  return joined || read ? chat_id : null
}

function peopleOf({ type, payload }: RelayedEvent): number[] {
  if (!ABOUT_PEOPLE.test(type)) return []
  if ('user_ids' in payload) return payload.user_ids.slice(0, PEOPLE_AT_MOST)
  return 'user_id' in payload ? [payload.user_id] : []
}

function present(ids: readonly (number | null)[]): number[] {
  return [...new Set(ids.filter((id) => id !== null))]
}

/** Most viewers see the same of a message, so its text is made once for each way in which it is seen. */
function messageTexts(shared: ReadonlyMap<number, SharedMessage>, facts: OwnFacts) {
  const texts = new Map<string, string>()
  return (id: number, viewerId: number): string => {
    const one = shared.get(id)
    if (!one) return ''
    const key = `${id}:${viewerId}`
    const mine = (one.around.reactions ?? []).map(({ emoji }) => Number(facts.mine.has(`${key}:${emoji}`)))
    const side = one.around.personal_key ? viewerId : ''
    const way = [id, mine.join(''), facts.mentioned.has(key), facts.following.get(key), side].join('|')
    const known = texts.get(way)
    if (known !== undefined) return known
    const text = `,"message":${JSON.stringify(presentFor(one, facts, viewerId))}`
    texts.set(way, text)
    return text
  }
}

async function readMessages(ctx: Context, events: readonly RelayedEvent[], viewers: readonly Viewer[]) {
  const ids = present(events.map(messageIdOf))
  if (ids.length === 0 || viewers.length === 0) return () => ''
  const viewerIds = [...new Set(viewers.map(({ user_id }) => user_id))]
  const [shared, facts] = await Promise.all([readShared(ctx, 0, ids), readOwnFacts(ctx.db, ids, viewerIds)])
  return messageTexts(shared, facts)
}

async function readCardTexts(
  ctx: Context,
  events: readonly RelayedEvent[],
  viewers: readonly Viewer[],
  hears: Hears,
): Promise<Map<string, string>> {
  const wanted = new Map<string, Viewer & { chat_id: number }>()
  for (const event of events) {
    if (event.chat_id === null) continue
    for (const viewer of viewers) {
      const chat_id = cardOf(event, viewer)
      if (chat_id === null || !hears(event, viewer)) continue
      wanted.set(`${chat_id}:${viewer.user_id}`, { user_id: viewer.user_id, role: viewer.role, chat_id })
    }
  }
  const cards = await readCards(ctx, [...wanted.values()])
  return new Map(cards.map(({ chat_id, user_id, json }) => [`${chat_id}:${user_id}`, `,"chat":${json}`]))
}

async function readPeopleTexts(
  ctx: Context,
  events: readonly RelayedEvent[],
): Promise<Map<RelayedEvent, string>> {
  const cards = await loadPeople(ctx, new Set(events.flatMap(peopleOf)))
  const people = new Map(cards.map((card) => [card.id, card]))
  const named = events.map((event) => [event, peopleOf(event).flatMap((id) => people.get(id) ?? [])] as const)
  return new Map(named.map(([event, of]) => [event, of.length > 0 ? `,"people":${JSON.stringify(of)}` : '']))
}

/** Drafts as they are now; their authors alone hear of them. */
async function readDrafts(ctx: Context, events: readonly RelayedEvent[]): Promise<Map<number, string>> {
  const ids = events.flatMap(({ type, payload }) => (type === 'draft.saved' ? payload.draft_id : []))
  const drafts = await loadDraftsById(ctx, [...new Set(ids)])
  return new Map(drafts.map((draft) => [draft.id, `,"draft":${JSON.stringify(draft)}`]))
}

/** Reads once what the frames of these events show, for all who hear of them. */
export async function showEvents(
  ctx: Context,
  events: readonly RelayedEvent[],
  viewers: readonly Viewer[],
  hears: Hears,
): Promise<Showing> {
  // On connections of their own: people wait for the slowest of them, not for all in turn.
  const [messageText, cards, people, drafts] = await Promise.all([
    readMessages(ctx, events, viewers),
    readCardTexts(ctx, events, viewers, hears),
    readPeopleTexts(ctx, events),
    readDrafts(ctx, events),
  ])
  return (event, viewer) => {
    const id = messageIdOf(event)
    const message = id === null ? '' : messageText(id, viewer.user_id)
    const chat = cards.get(`${cardOf(event, viewer)}:${viewer.user_id}`) ?? ''
    const draft = event.type === 'draft.saved' ? (drafts.get(event.payload.draft_id) ?? '') : ''
    return message + chat + draft + (people.get(event) ?? '')
  }
}
