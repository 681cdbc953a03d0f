import type { TimelineMessage } from '@parley/contract'
import { forwarding } from '../media/forward-dialog.js'
import { reactorsOf } from '../media/reactors-dialog.js'
import { readersOf } from '../media/readers-dialog.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { state } from '../store.js'
import { confirm } from '../ui/confirm.js'
import type { MenuItem } from '../ui/menu.js'
import { toast } from '../ui/toast.js'
import { editing } from './quoting.js'

async function copy(text: string) {
  await navigator.clipboard.writeText(text)
  toast(words().common.copied)
}

async function attempt(work: () => Promise<unknown>) {
  try {
    await work()
  } catch {
    toast(words().common.failed, { look: 'bad' })
  }
}

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

/** What the menu of a message offers; what the server would refuse is shown with the reason. */
export function menuOf(message: TimelineMessage): MenuItem[][] {
  const { messages, common, media } = words()
  const card = state.chats.value.get(message.root_chat_id)
  const mine = message.user_id === state.session.value?.user.id
  const may = (act: 'pin' | 'delete_messages') => card?.may.includes(act) ?? false
  const params = { id: message.id }
  const pin: MenuItem = {
    label: message.pinned ? messages.unpin : messages.pin,
    icon: 'pin',
    refusal: may('pin') ? undefined : common.notAllowed,
    onSelect: () => void attempt(() => call(message.pinned ? 'unpinMessage' : 'pinMessage', { params })),
  }
  const unread: MenuItem = {
    label: messages.markUnread,
    icon: 'unread',
    onSelect: () =>
      void attempt(() =>
        call('markChatUnread', { params: { id: message.chat_id }, body: { message_id: message.id } }),
      ),
  }
  const copies: MenuItem[] = [
    { label: messages.copyText, icon: 'copy', onSelect: () => void copy(message.content) },
    {
      label: messages.copyLink,
      icon: 'link',
      onSelect: () => void copy(new URL(message.url, location.href).href),
    },
  ]
  const own: MenuItem[] = mine
    ? [
        {
          label: common.edit,
          icon: 'edit',
          onSelect: () => {
            editing.value = message
          },
        },
      ]
    : []
  const deletion: MenuItem = {
    label: common.delete,
    icon: 'trash',
    danger: true,
    refusal: mine || may('delete_messages') ? undefined : common.notAllowed,
    onSelect: () => void attempt(() => remove(message)),
  }
  const forward: MenuItem = {
    label: media.forward,
    icon: 'forward',
    onSelect: () => {
      forwarding.value = message
    },
  }
  const readers: MenuItem = {
    label: media.readers,
    icon: 'eye',
    onSelect: () => {
      readersOf.value = message.id
    },
  }
  const reactors: MenuItem[] =
    message.reactions.length > 0
      ? [
          {
            label: media.reactors,
            icon: 'smile',
            onSelect: () => {
              reactorsOf.value = { message, group: null }
            },
          },
        ]
      : []
  return [[forward, pin, unread, readers, ...reactors], copies, [...own, deletion]]
}
