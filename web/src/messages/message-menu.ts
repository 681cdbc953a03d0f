import type { TimelineMessage } from '@parley/contract'
import { attempt } from '../frame/attempt.js'
import { copy } from '../frame/copy.js'
import { forwarding } from '../media/forward-dialog.js'
import { reactorsOf } from '../media/reactors-dialog.js'
import { readersOf } from '../media/readers-dialog.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { state } from '../store.js'
import { confirm } from '../ui/confirm.js'
import type { MenuItem } from '../ui/menu.js'
import { editing, mayWriteIn } from './quoting.js'
import { markUnread } from './reading.js'

async function remove(message: TimelineMessage) {
  const { messages, common } = words()
  const question = {
    title: messages.deleteTitle,
    text: messages.deleteText,
    action: common.delete,
    cancel: common.cancel,
  }
  if (await confirm({ ...question, danger: true }))
    await call('deleteMessage', { params: { id: message.id } })
}

/** Opens what a signal holds. */
const opens =
  <T>(target: { value: T }, value: T) =>
  () => {
    target.value = value
  }

function placing(message: TimelineMessage, mayPin: boolean): MenuItem[] {
  const { messages, common, media } = words()
  const params = { id: message.id }
  const pin = () => call(message.pinned ? 'unpinMessage' : 'pinMessage', { params })
  return [
    { label: media.forward, icon: 'forward', onSelect: opens(forwarding, message) },
    {
      label: message.pinned ? messages.unpin : messages.pin,
      icon: 'pin',
      refusal: mayPin ? undefined : common.notAllowed,
      onSelect: () => void attempt(pin),
    },
    {
      label: messages.markUnread,
      icon: 'unread',
      onSelect: () => void attempt(() => markUnread(message.chat_id, message.id)),
    },
  ]
}

function details(message: TimelineMessage): MenuItem[] {
  const { media } = words()
  const readers: MenuItem = { label: media.readers, icon: 'eye', onSelect: opens(readersOf, message.id) }
  if (message.reactions.length === 0) return [readers]
  const onSelect = opens(reactorsOf, { message, group: null })
  return [readers, { label: media.reactors, icon: 'smile', onSelect }]
}

function copies(message: TimelineMessage): MenuItem[] {
  const { messages } = words()
  const link = () => new URL(message.url, location.href).href
  return [
    { label: messages.copyText, icon: 'copy', onSelect: () => void copy(message.content) },
    { label: messages.copyLink, icon: 'link', onSelect: () => void copy(link()) },
  ]
}

/** What the menu of a message offers; what the server would refuse is shown with the reason. */
export function menuOf(message: TimelineMessage): MenuItem[][] {
  const { common } = words()
  const card = state.chats.value.get(message.root_chat_id)
  const mine = message.user_id === state.session.value?.user.id
  const may = (act: 'pin' | 'delete_messages') => card?.may.includes(act) ?? false
  const refusal = mayWriteIn(message.chat_id) ? undefined : common.notAllowed
  const edit: MenuItem[] = mine
    ? [{ label: common.edit, icon: 'edit', refusal, onSelect: opens(editing, message) }]
    : []
  const deletion: MenuItem = {
    label: common.delete,
    icon: 'trash',
    danger: true,
    refusal: mine || may('delete_messages') ? undefined : common.notAllowed,
    onSelect: () => void attempt(() => remove(message)),
  }
  return [[...placing(message, may('pin')), ...details(message)], copies(message), [...edit, deletion]]
}
