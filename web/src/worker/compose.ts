import type { Push } from '@parley/contract/notify'
import { noticeKinds as en } from '../words/en/notice-kinds.js'
import { noticeKinds as ru } from '../words/ru/notice-kinds.js'

export interface Shown {
  title: string
  options: NotificationOptions & { renotify?: boolean }
}

const TEXTS = {
  en: {
    kinds: en as Readonly<Record<string, string>>,
    other: 'Notification',
    test: 'Notifications work',
    testText: 'This is how Parley tells you about messages.',
  },
  ru: {
    kinds: ru as Readonly<Record<string, string>>,
    other: 'Уведомление',
    test: 'Уведомления работают',
    testText: 'Так Parley сообщает о новых сообщениях.',
  },
}

const textsIn = (language: string) => TEXTS[language.toLowerCase().startsWith('ru') ? 'ru' : 'en']

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

/** The notification of a notice, in the language that the person chose, or that of the browser. */
export function composeNotice(push: Extract<Push, { type: 'notice' }>, browserLanguage: string): Shown {
  const { notice_id, kind, text, path, language, silent } = push
  const { kinds, other } = textsIn(language === 'en' || language === 'ru' ? language : browserLanguage)
  return {
    title: kinds[kind] ?? other,
    options: { ...ICONS, body: text, tag: `notice-${notice_id}`, silent, data: { path, notice_id } },
  }
}

export function composeTest(language: string): Shown {
  const { test, testText } = textsIn(language)
  return {
    title: test,
    options: { ...ICONS, body: testText, tag: 'test', data: { path: '/settings/notifications' } },
  }
}
