import { shouldNotify } from '@parley/contract/notify'
import { effect } from '@preact/signals'
import { totalUnread } from '../chats/listing.js'
import { personAt } from '../people/names.js'
import type { LiveFrame } from '../platform/changes.js'
import { navigate } from '../platform/navigate.js'
import {
  closeShown,
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

/** Whether the person is told of the message of a frame, by the rule that the server follows too. */
function isTold({ message, chat_id }: LiveFrame, me: number): boolean {
  if (!message || chat_id === null || message.system) return false
  const settings = state.notifications.peek()
  const isThread = message.entity_type === 'thread'
  const kind = isThread ? 'thread' : (state.chats.peek().get(chat_id)?.kind ?? 'conversation')
  const { user, workspace } = state.session.peek() ?? {}
  return shouldNotify({
    now_ms: Date.now(),
    user_id: me,
    time_zone: user?.time_zone || workspace?.time_zone || 'UTC',
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
async function showItself({ chat_id, message }: LiveFrame) {
  if (!message || permission() !== 'granted' || (await findSubscription())) return
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

/** Follows the stream: calls the person where a message should, and takes away what was read anywhere. */
export function attend(frame: LiveFrame, me: number) {
  const { type, payload, chat_id } = frame
  if (type === 'read.moved' && payload.user_id === me && chat_id !== null)
    void closeShown(chat_id, payload.message_id ?? 0)
  if (type !== 'message.created' || !leading || !isTold(frame, me)) return
  const isFocused = document.hasFocus()
  if (isFocused && isSeen(frame)) return
  if (isFocused && state.notifications.peek().sound) playSound()
  if (!isFocused) void showItself(frame).catch(() => {})
}
