import { noticePath, shouldNotify, shouldNotifyOfNotice } from '@parley/contract/notify'
import { effect } from '@preact/signals'
import { totalUnread } from '../chats/listing.js'
import { personAt } from '../people/names.js'
import type { LiveFrame } from '../platform/changes.js'
import { words } from '../platform/i18n.js'
import { navigate } from '../platform/navigate.js'
import {
  closeShown,
  closeShownNotices,
  findSubscription,
  lookForNewBuild,
  onNewBuild,
  onWorkerMessage,
  permission,
  registerWorker,
  renew,
} from '../platform/push.js'
import { state } from '../store.js'
import { followMutes, mutedChatIds } from './actions.js'
import { playSound } from './sound.js'
import { settingsAt } from './state.js'

const LOOK_EVERY_MS = 60 * 60 * 1000

/** Whether this tab tells for all tabs. */
let leading = false

export function lead(ending: AbortSignal) {
  leading = true
  ending.addEventListener('abort', () => {
    leading = false
  })
}

/** The count of what wants the person: on the icon of the app, in the title and on the icon of the tab. */
function showCount(count: number) {
  document.title = count > 0 ? `(${count}) Parley` : 'Parley'
  document
    .querySelector('link[rel="icon"]')
    ?.setAttribute('href', count > 0 ? '/icon-unread.svg' : '/icon.svg')
  const { setAppBadge, clearAppBadge } = navigator
  if (setAppBadge) void (count > 0 ? setAppBadge : clearAppBadge).call(navigator, count).catch(() => {})
}

/** Starts everything that calls the person: counts, the service worker, and what it says. */
export function followAttention(onOutdated: () => void): () => void {
  const stops = [
    followMutes(),
    effect(() => showCount(totalUnread(state.chats.value, mutedChatIds.value).mentions)),
    onWorkerMessage((message) => {
      if (message.kind === 'open') navigate(message.path)
    }),
  ]
  void onNewBuild(onOutdated)
  void renew().catch(() => {})
  const timer = setInterval(() => void lookForNewBuild(), LOOK_EVERY_MS)
  return () => {
    clearInterval(timer)
    for (const stop of stops) stop()
  }
}

const timeZone = () => {
  const { user, workspace } = state.session.peek() ?? {}
  return user?.time_zone || workspace?.time_zone || 'UTC'
}

/** Whether the person is told of the message of a frame, by the rule that the server follows too. */
function isTold({ message, chat_id }: LiveFrame, me: number): boolean {
  if (!message || chat_id === null || message.system) return false
  const settings = state.notifications.peek()
  const isThread = message.entity_type === 'thread'
  const kind = isThread ? 'thread' : (state.chats.peek().get(chat_id)?.kind ?? 'conversation')
  return shouldNotify({
    now_ms: Date.now(),
    user_id: me,
    time_zone: timeZone(),
    settings,
    chat: { ...settingsAt(settings, chat_id), kind },
    parent: isThread ? settingsAt(settings, message.root_chat_id) : null,
    message,
  })
}

/** The chat lies open before the person. */
function isSeen({ chat_id, message }: LiveFrame): boolean {
  const { pathname, search } = location
  const thread = message?.entity_type === 'thread' ? new URLSearchParams(search).get('thread') : null
  return pathname === `/chats/${chat_id}` || (thread !== null && thread === String(message?.entity_id))
}

/** Where there are no pushes, such as without a way to a push service, the open client shows notifications itself. */
const showsItself = async () => permission() === 'granted' && !(await findSubscription())

async function showItself({ chat_id, message }: LiveFrame) {
  if (!message || !(await showsItself())) return
  const card = state.chats.peek().get(message.root_chat_id)
  const author = personAt(message.user_id).name
  const registration = await registerWorker()
  const { sound } = state.notifications.peek()
  await registration?.showNotification(
    card && card.kind !== 'personal' ? `${author} · ${card.name}` : author,
    {
      body: message.content || message.files.map(({ name }) => name).join(', '),
      tag: `chat-${chat_id}`,
      icon: '/icon-192.png',
      silent: !sound,
      data: { path: pathOf(message), chat_id, message_id: message.id },
    },
  )
}

function pathOf({
  entity_type,
  entity_id,
  root_chat_id,
  chat_id,
  id,
}: NonNullable<LiveFrame['message']>): string {
  return entity_type === 'thread'
    ? `/chats/${root_chat_id}?thread=${entity_id}`
    : `/chats/${chat_id}?message=${id}`
}

async function showNotice({ payload }: LiveFrame) {
  if (!(await showsItself())) return
  const { notices: say } = words()
  const kinds: Readonly<Record<string, string>> = say.kinds
  const registration = await registerWorker()
  const path = noticePath(payload) ?? '/notices'
  await registration?.showNotification(kinds[payload.kind ?? ''] ?? say.other, {
    body: payload.text ?? '',
    tag: `notice-${path}`,
    icon: '/icon-192.png',
    silent: !state.notifications.peek().sound,
    data: { path, notice_id: null },
  })
}

function isNoticeTold({ payload }: LiveFrame): boolean {
  const settings = state.notifications.peek()
  const { chat_id } = payload as { chat_id?: number | null }
  const chat = chat_id ? settingsAt(settings, chat_id) : null
  return shouldNotifyOfNotice({ now_ms: Date.now(), time_zone: timeZone(), settings, chat })
}

/** Calls the person: with a sound where the window has the focus, with a notification elsewhere. */
function callPerson(frame: LiveFrame, isBefore: boolean, show: (frame: LiveFrame) => Promise<void>) {
  const isFocused = document.hasFocus()
  if (isFocused && isBefore) return
  if (isFocused && state.notifications.peek().sound) playSound()
  if (!isFocused) void show(frame).catch(() => {})
}

/** Follows the stream: calls the person where a message or notice should, and takes away what was read anywhere. */
export function attend(frame: LiveFrame, me: number) {
  const { type, payload, chat_id } = frame
  if (type === 'read.moved' && payload.user_id === me && chat_id !== null)
    void closeShown(chat_id, payload.message_id ?? 0)
  if (type === 'notices.read') void closeShownNotices(payload.notice_ids ?? [], payload.notices_unread ?? 0)
  if (!leading) return
  if (type === 'message.created' && isTold(frame, me)) callPerson(frame, isSeen(frame), showItself)
  if (type === 'notice.created' && isNoticeTold(frame))
    callPerson(frame, location.pathname === '/notices', showNotice)
}
