// What somebody sees who has the web client open: the reductions of the client over the live stream, from a start on.
// After the storm it must be what a client sees that starts anew.
import { setTimeout as wait } from 'node:timers/promises'
import { connect, live } from '../../sdk/dist/index.js'
import { counters } from '../../web/compiled/account/state.js'
import { chats } from '../../web/compiled/chats/state.js'
import { drafts } from '../../web/compiled/drafts/state.js'
import { messages } from '../../web/compiled/messages/state.js'
import { notifications } from '../../web/compiled/notifications/state.js'
import { people } from '../../web/compiled/people/state.js'
import { preferences } from '../../web/compiled/settings/state.js'
import { differencesAround, differencesOfCards, differencesOfRun } from './differences.mjs'

/** What the start gives besides chats. */
const AROUND = { counters, drafts, notifications, people, preferences }

const OPEN_CHATS = 4
const QUIET_MS = 400

async function readCards(call, session, start) {
  const cards = [...start.chats]
  for (let cursor = start.next_chats; cursor; ) {
    const { data, meta } = await call(
      session,
      'GET',
      `/start/chats?limit=100&cursor=${encodeURIComponent(cursor)}`,
    )
    cards.push(...data)
    cursor = meta.paginate.has_next ? meta.paginate.next_page : null
  }
  return cards
}

const reduceAround = (state, change) =>
  Object.fromEntries(Object.entries(AROUND).map(([name, area]) => [name, area.reduce(state[name], change)]))

function startOf(start) {
  const initial = Object.fromEntries(Object.entries(AROUND).map(([name, area]) => [name, area.initial]))
  return reduceAround(initial, { type: 'started', start })
}

const timelineOf = async (call, session, id) =>
  (await call(session, 'GET', `/chats/${id}/timeline?limit=50`)).json

/** Begun while nobody does anything; undefined where the person cannot sign in. */
export async function openMirror({ call, known, base_url }, { id: me, session }) {
  const { data: start } = await call(session, 'GET', '/start')
  if (!start) return undefined
  const cards = await readCards(call, session, start)
  let [own, read, around] = [chats.initial, messages.initial, startOf(start)]
  const apply = (change) => {
    own = chats.reduce(own, change)
    read = messages.reduce(read, change)
    around = reduceAround(around, change)
  }
  const take = (chat) => apply({ type: 'chat', chat })
  cards.forEach(take)
  /** Chats whose messages are followed, with the chat that lets the person in. */
  const opened = new Map()
  for (const chat_id of [
    ...known.some('thread chat', 2),
    ...cards.slice(0, OPEN_CHATS).map(({ id }) => id),
  ]) {
    const page = await timelineOf(call, session, chat_id)
    const root = page.data?.[0]?.root_chat_id
    if (!own.has(root)) continue
    apply({ type: 'page', chat_id, place: 'fresh', page })
    opened.set(chat_id, root)
  }
  const stop = new AbortController()
  let last = performance.now()
  let ended = false
  /** Whoever is not in a chat hears nothing of it, and starts anew when they open it. */
  function forget(id) {
    for (const [chatId, root] of opened) if (id === chatId || id === root) opened.delete(chatId)
  }
  const owed = { cards: new Set(), pages: new Set() }
  /** What changes without this person being told: guests hear nothing of the workspace. */
  const unsure = new Set(
    start.user.role.includes('guest') ? ['members_count', 'group_tag_ids', 'people'] : [],
  )
  /** What the client asks for again: counts that frames change without saying how. */
  function owe({ type, data }) {
    if (/^company_members\.(suspended|activated|deleted)$/.test(type)) unsure.add('members_count')
    if (type === 'message.deleted') owed.pages.add(data.message?.root_chat_id)
    if (type === 'group_tag.deleted')
      for (const { id, group_tag_ids } of own.values())
        if (group_tag_ids.includes(data.payload.id)) owed.cards.add(id)
    if (type === 'company_members.updated' && data.payload.user_ids.includes(me))
      for (const { id, group_tag_ids } of own.values()) if (group_tag_ids.length > 0) owed.cards.add(id)
    if (/^(message\.deleted|chat_members\.(added|removed))$/.test(type)) owed.cards.add(data.chat_id)
  }
  async function settle() {
    for (const id of owed.cards) if (own.has(id)) await learn(id)
    for (const chat_id of opened.keys()) {
      const page = owed.pages.has(chat_id) ? await timelineOf(call, session, chat_id) : {}
      if (page.data) apply({ type: 'page', chat_id, place: 'fresh', page })
    }
  }
  const asking = new Set()
  async function learn(id) {
    asking.add(id)
    const { data } = await call(session, 'GET', `/chats/${id}/card`)
    if (data) take(data)
    asking.delete(id)
  }
  const run = (async () => {
    const frames = live(connect({ base_url, token: session.token }), {
      signal: stop.signal,
      position: start.position,
    })
    for await (const { type, data } of frames) {
      owe({ type, data })
      last = performance.now()
      if (type === 'ready') continue
      const role = data.people?.find(({ id }) => id === me)?.role
      // The client reads everything again then.
      if (type === 'reset' || (role !== undefined && role !== start.user.role)) break
      apply({ type: 'live', frame: { ...data, type }, me })
      const root = data.message?.root_chat_id
      if (type === 'chat_members.removed' && data.payload.user_ids.includes(me)) forget(data.chat_id)
      if (root !== undefined && !own.has(root) && !asking.has(root)) void learn(root)
    }
  })()
    .catch(() => {})
    .finally(() => {
      ended = true
    })

  /** How what is seen differs from what somebody sees who starts anew. */
  async function compare() {
    while (!ended && performance.now() - last < QUIET_MS) await wait(50)
    const was = ended
    stop.abort()
    await run
    if (was) return []
    await settle()
    const { data: now } = await call(session, 'GET', '/start')
    const fresh = await readCards(call, session, now)
    const found = [
      ...differencesOfCards(own, fresh, unsure),
      ...differencesAround(around, startOf(now), { cards: own, unsure }),
    ]
    for (const id of opened.keys()) {
      const { data = [] } = await timelineOf(call, session, id)
      found.push(...differencesOfRun(read.get(id)?.messages ?? [], data, own))
    }
    return found.map((text) => `the client of ${me} ${text}`)
  }
  return { compare }
}
