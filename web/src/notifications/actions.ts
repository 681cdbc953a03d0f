import type { ChatNotifications, NotificationSettingsUpdate } from '@parley/contract'
import { computed, signal } from '@preact/signals'
import { attempt } from '../frame/attempt.js'
import { call } from '../platform/api.js'
import { apply, state } from '../store.js'
import { mutedIds, nextUnmute, settingsAt, withChat } from './state.js'

/** Moves when a chat ends being muted by itself. */
const lapsed = signal(0)

/** Chats that tell nothing now. */
export const mutedChatIds = computed(() => {
  lapsed.value
  return mutedIds(state.notifications.value, Date.now())
})

const TIMER_AT_MOST_MS = 2 ** 31 - 1

/** Looks again when the next mute ends; gives what stops it. */
export function followMutes(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = state.notifications.subscribe((settings) => {
    clearTimeout(timer)
    const end = nextUnmute(settings, Date.now())
    if (end === null) return
    timer = setTimeout(() => (lapsed.value += 1), Math.min(end - Date.now() + 1, TIMER_AT_MOST_MS))
  })
  return () => {
    clearTimeout(timer)
    stop()
  }
}

/** Shows a change at once, and takes it back where the server does not take it. */
async function save(changed: typeof state.notifications.value, run: () => Promise<unknown>) {
  const before = state.notifications.peek()
  apply({ type: 'notifications', notifications: changed })
  if (!(await attempt(run))) apply({ type: 'notifications', notifications: before })
}

export function saveNotifications(change: NotificationSettingsUpdate) {
  const body = { notifications: change }
  return save({ ...state.notifications.peek(), ...change }, () =>
    call('updateNotificationSettings', { body }),
  )
}

export function setChat({ chat_id, ...body }: ChatNotifications) {
  const changed = withChat(state.notifications.peek(), { chat_id, ...body })
  return save(changed, () => call('setChatNotifications', { params: { id: chat_id }, body }))
}

/** Tells nothing of the chat any more, or what the general settings say again. */
export function toggleMute(chatId: number) {
  const muted = mutedChatIds.peek().includes(chatId)
  return setChat({
    ...settingsAt(state.notifications.peek(), chatId),
    level: muted ? null : 'nothing',
    muted_until: null,
  })
}
