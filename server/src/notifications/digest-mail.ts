import { escapeHtml } from '../platform/http/escape-html.js'

export interface DigestChat {
  /** Null for a personal chat: the author says it all. */
  name: string | null
  url: string
  messages: { author: string; text: string }[]
}

export interface Digest {
  language: keyof typeof WORDS
  workspace: string
  chats: DigestChat[]
  count: number
  settings_url: string
  /** Page on which a person turns digests off without signing in. */
  stop_url: string
}

function subjectIn(
  language: string,
  forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string },
) {
  const rules = new Intl.PluralRules(language)
  return (count: number, workspace: string) =>
    (forms[rules.select(count)] ?? forms.other)
      .replace('#', () => String(count))
      .replace('@', () => workspace)
}

const WORDS = {
  en: {
    subject: subjectIn('en', { one: '# unread message in @', other: '# unread messages in @' }),
    why: 'You get this mail because digests are on in your notification settings:',
    settings: 'settings',
    stop: 'Turn them off',
  },
  ru: {
    subject: subjectIn('ru', {
      one: '# непрочитанное сообщение в @',
      few: '# непрочитанных сообщения в @',
      other: '# непрочитанных сообщений в @',
    }),
    why: 'Вы получили это письмо, потому что в настройках уведомлений включены сводки:',
    settings: 'настройки',
    stop: 'Отключить сводки',
  },
}

export function subjectOf({ workspace, count, language }: Digest): string {
  return WORDS[language].subject(count, workspace)
}

export function textOf(digest: Digest): string {
  const chats = digest.chats.map(({ name, url, messages }) =>
    [
      ...(name === null ? [] : [name]),
      ...messages.map(({ author, text }) => `  ${author}: ${text.replaceAll('\n', '\n  ')}`),
      `  ${url}`,
    ].join('\n'),
  )
  const { why, stop } = WORDS[digest.language]
  const end = `${why}\n${digest.settings_url}\n${stop}: ${digest.stop_url}`
  return `${chats.join('\n\n')}\n\n-- \n${end}\n`
}

const link = (url: string, text: string) => `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`

export function htmlOf(digest: Digest): string {
  const chats = digest.chats.map(({ name, url, messages }) => {
    const lines = messages.map(
      ({ author, text }) =>
        `<p><b>${escapeHtml(author)}</b><br>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`,
    )
    return `<h3>${link(url, name ?? (messages[0]?.author as string))}</h3>${lines.join('')}`
  })
  const { why, settings, stop } = WORDS[digest.language]
  const end = `${why} ${link(digest.settings_url, settings)} · ${link(digest.stop_url, stop)}`
  return `<!doctype html><html lang="${digest.language}"><meta charset="utf-8"><body>${chats.join('')}<hr><p><small>${end}</small></p></body></html>`
}
