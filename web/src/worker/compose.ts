import type { Push } from '@parley/contract/notify'

export interface Shown {
  title: string
  options: NotificationOptions & { renotify?: boolean }
}

const TEXTS = {
  en: { test: 'Notifications work', testText: 'This is how Parley tells you about messages.' },
  ru: { test: 'Уведомления работают', testText: 'Так Parley сообщает о новых сообщениях.' },
}

const ICONS = { icon: '/icon-192.png', badge: '/badge-96.png' }

/** The notification of a message: a later one of the same chat takes its place. */
export function composeMessage(push: Extract<Push, { type: 'message' }>): Shown {
  const { author, chat, text, file_names, chat_id, message_id, path, silent } = push
  return {
    title: chat === null ? author : `${author} · ${chat}`,
    options: {
      ...ICONS,
      body: text || (file_names ?? ''),
      tag: `chat-${chat_id}`,
      renotify: !silent,
      silent,
      data: { path, chat_id, message_id },
    },
  }
}

export function composeTest(language: string): Shown {
  const { test, testText } = TEXTS[language.toLowerCase().startsWith('ru') ? 'ru' : 'en']
  return {
    title: test,
    options: { ...ICONS, body: testText, tag: 'test', data: { path: '/settings/notifications' } },
  }
}
