import type { Start } from '@parley/contract'
import { batch, signal } from '@preact/signals'
import { createRecounts } from './chats/recounts.js'
import { createRest } from './chats/rest.js'
import { forgetDrafts, openDrafts } from './drafts/actions.js'
import { readOtherDrafts } from './drafts/rest.js'
import { readViews } from './forms/actions.js'
import { readTimeline, takeAnswer, uploadOf } from './messages/actions.js'
import { forgetEdits, openEdits } from './messages/kept-edits.js'
import { attend, lead } from './notifications/attention.js'
import { ApiFailure, call, onSignedOut } from './platform/api.js'
import { hasLost, isOfChat, type LiveFrame } from './platform/changes.js'
import { clearDatabase } from './platform/database.js'
import { type Live, openLive } from './platform/live.js'
import { closeOutbox, discard, forgetOutbox, openOutbox, sendOutbox } from './platform/outbox.js'
import { nextPaint } from './platform/paint.js'
import { forgetPush, lookForNewBuild } from './platform/push.js'
import { openChannel } from './platform/tabs.js'
import { isOwnSave } from './settings/actions.js'
import { clearSnapshot, keepSnapshot, loadSnapshot } from './snapshot.js'
import { apply, hearing, state } from './store.js'
import { recountThreads } from './threads/actions.js'

/** The phase of the client: starting, nobody signed in, ready, or a second factor has to be set up first. */
export const phase = signal<'starting' | 'signed_out' | 'ready' | 'unreachable' | 'unprotected'>('starting')
/** The server ended the session that was on the screen: the person did not sign out. */
export const ended = signal(false)
/** False while what is shown is the snapshot of the last time. */
export const fresh = signal(false)
/** The server was replaced by a newer one; the page should be loaded again. */
export const outdated = signal(false)

let live: Live | undefined
let opened = 0
/** How often the client has started or signed out: what was asked for before is not applied after it. */
let runs = 0
const rest = createRest(readChat)
export const recounts = createRecounts(readChat)
/** The snapshot is on the screen, where there is one. */
let shown = Promise.resolve()

/** Messages between tabs: signed out with local data deleted, or signed in. */
const tabs = openChannel<{ signed_in: number } | 'signed_out'>('parley-session', (told) => {
  if (told === 'signed_out') void forget()
  else if (told.signed_in !== state.session.value?.user.id) location.reload()
})

/** Reads everything; what was read before is stale. The chats beyond the first page follow behind the first screen. */
async function readStart(): Promise<string> {
  rest.stop()
  recounts.stop()
  const run = runs
  try {
    const { data } = await call('getStart')
    await shown
    if (run !== runs) return data.position
    const known = applyStart(data)
    await Promise.all([openFor(data.user.id), readOpenChat(data)])
    if (run !== runs) return data.position
    void rest.follow(data, known)
    void readOtherDrafts(data.drafts.length, () => run === runs).catch(() => {})
    fresh.value = true
    phase.value = 'ready'
    return data.position
  } catch (error) {
    if (await lacksSecondFactor(error)) phase.value = 'unprotected'
    else if (phase.value === 'starting') phase.value = 'unreachable'
    throw error
  }
}

/** Gives the chats that were known before. Those of somebody else do not stay beside the first page. */
function applyStart(start: Start): readonly number[] {
  const { user } = state.session.peek() ?? {}
  return batch(() => {
    if (phase.peek() === 'ready') apply({ type: 'stale' })
    if (user && user.id !== start.user.id) apply({ type: 'signed_out' })
    const known = [...state.chats.peek().keys()]
    apply({ type: 'started', start })
    return known
  })
}

const FIRST_PAGE_WITHIN_MS = 150

/** The messages of the chat that the address names are drawn with everything else, where they come soon. */
async function readOpenChat(start: Start) {
  const [, id] = /^\/chats\/(\d+)$/.exec(location.pathname) ?? []
  if (id === undefined || new URLSearchParams(location.search).has('message')) return
  const page = readNamed(start, Number(id)).catch(() => {})
  await Promise.race([page, new Promise((done) => setTimeout(done, FIRST_PAGE_WITHIN_MS))])
}

async function readNamed({ chats, next_chats }: Start, id: number) {
  const isFirst = chats.some((card) => card.id === id)
  if (!isFirst && next_chats === null) return
  if (!isFirst) await readChat(id)
  const card = state.chats.peek().get(id)
  if (card) await readTimeline(id, card.unread_count > 0 ? { first_unread: true } : { newest: true })
}

/** The workspace asks for a second factor, and refuses everything else until there is one. */
async function lacksSecondFactor(error: unknown): Promise<boolean> {
  if (!(error instanceof ApiFailure) || error.status !== 403) return false
  return call('getSession').then(
    ({ data }) => data.second_factor_missing,
    () => false,
  )
}

/** The outbox, the drafts and the edits of this person. */
async function openFor(userId: number) {
  if (opened === userId) return
  opened = userId
  openEdits(userId)
  await Promise.all([openDrafts(userId).catch(() => {}), openOutbox(userId, takeAnswer, uploadOf)])
}

let presenceAsked = 0
let presenceTaken = 0

/** Presence events are not stored: changes that were missed are not sent again. */
function readPresence() {
  presenceAsked += 1
  const asked = presenceAsked
  return hearing(call('listPresence'), ({ data }, heard) => {
    // Of two answers the one that was asked for later knows what was missed in between.
    if (asked < presenceTaken) return
    presenceTaken = asked
    apply({ type: 'presence', people: data })
    for (const change of heard)
      if (change.type === 'live' && change.frame.type === 'presence.changed') apply(change)
  })
}

function take(frame: LiveFrame) {
  if (isOwnSave(frame)) return
  const me = state.session.value?.user.id ?? 0
  apply({ type: 'live', frame, me })
  if (frame.client_key) void discard(frame.client_key)
  recountThreads(frame, me)
  recounts.hear(frame, me)
  if (frame.type === 'view.opened') void readViews().catch(() => {})
  if (hasNewRole(frame, me)) live?.readAgain()
  // A personal chat that began with somebody's first message, or a chat whose page has not come yet.
  const rootId = frame.message?.root_chat_id
  const isUnknown = rootId !== undefined && !state.chats.value.has(rootId)
  const known = isUnknown ? readChat(rootId).catch(() => {}) : undefined
  // Of which kind its chat is says whether it calls the person.
  if (known) void known.then(() => attend(frame, me))
  else attend(frame, me)
}

/** What a person may do is in every card of a chat. */
function hasNewRole({ people = [] }: LiveFrame, me: number): boolean {
  const now = people.find(({ id }) => id === me)
  return now !== undefined && now.role !== state.session.value?.user.role
}

/** Reads the card of a chat that the state does not hold. */
export function readChat(id: number): Promise<void> {
  return hearing(call('getChatCard', { params: { id } }), ({ data }, heard) => {
    const inChat = heard.filter((change) => isOfChat(change, id))
    // A moved pointer comes with a count, which the card may be older or newer than.
    const isCounted = inChat.some((change) => change.type === 'live' && change.frame.type === 'read.moved')
    if (hasLost(heard) || isCounted) return readChat(id)
    apply({ type: 'chat', chat: data })
    recounts.settle(id)
    inChat.forEach(apply)
  })
}

/** Shows the snapshot, reads everything, and follows the live stream from there. */
export async function start() {
  ended.value = false
  live?.close()
  rest.stop()
  recounts.stop()
  runs += 1
  phase.value = 'starting'
  fresh.value = false
  if (await loadSnapshot()) {
    await openFor(state.session.value?.user.id ?? 0)
    phase.value = 'ready'
    shown = nextPaint()
  } else void clearSnapshot()
  live = openLive({
    read: readStart,
    onFrames: (frames) => batch(() => frames.forEach(take)),
    onReady(version) {
      outdated.value = version !== state.session.value?.version
      void lookForNewBuild()
    },
    onMissed: () => void readPresence().catch(() => {}),
    onSignedOut: leave,
    async work(ending) {
      keepSnapshot(ending)
      lead(ending)
      await sendOutbox(ending)
    },
  })
}

/** Somebody has signed in here; the other tabs follow. */
export async function signedIn(userId: number) {
  tabs.post({ signed_in: userId })
  await start()
}

/** Nobody is signed in any more. Drafts and the outbox stay on the device for the same person. */
function leave() {
  live?.close()
  rest.stop()
  recounts.stop()
  runs += 1
  live = undefined
  opened = 0
  closeOutbox()
  apply({ type: 'signed_out' })
  ended.value ||= phase.value === 'ready'
  phase.value = 'signed_out'
  void clearSnapshot()
}

/** As `start` where it is known that nobody is signed in: the server would refuse what is asked, and the browser complain. */
export async function startSignedOut() {
  leave()
}

/** Leaves nothing behind. */
async function forget() {
  forgetDrafts()
  forgetEdits()
  forgetOutbox()
  leave()
  ended.value = false
  await Promise.all([clearDatabase().catch(() => {}), forgetPush().catch(() => {})])
}

/** Signs out here and in every tab. */
export async function signOut() {
  const elsewhere = await providerPage()
  await call('signOut')
  tabs.post('signed_out')
  await forget()
  if (elsewhere) location.assign(elsewhere)
}

const PROVIDER_MS = 3000

/** Where the identity provider that signed the person in signs them out; not waited for long. */
async function providerPage(): Promise<string | null> {
  const signal = AbortSignal.timeout(PROVIDER_MS)
  const { data } = await call('getSessionProvider', { signal }).catch(() => ({ data: null }))
  return data?.sign_out_url ?? null
}

onSignedOut(leave)
