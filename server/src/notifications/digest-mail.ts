import { escapeHtml } from '../platform/http/escape-html.js'

export interface DigestChat {
  /** Null for a personal chat: the author says it all. */
  name: string | null
  url: string
  messages: { author: string; text: string }[]
}

export interface Digest {
  workspace: string
  chats: DigestChat[]
  count: number
  settings_url: string
  /** Page on which a person turns digests off without signing in. */
  stop_url: string
}

const WHY = 'You get this mail because digests are on in your notification settings:'

export function subjectOf({ workspace, count }: Digest): string {
  return `${count} unread ${count === 1 ? 'message' : 'messages'} in ${workspace}`
}

export function textOf(digest: Digest): string {
  const chats = digest.chats.map(({ name, url, messages }) =>
    [
      ...(name === null ? [] : [name]),
      ...messages.map(({ author, text }) => `  ${author}: ${text.replaceAll('\n', '\n  ')}`),
      `  ${url}`,
    ].join('\n'),
  )
  const end = `${WHY}\n${digest.settings_url}\nTurn them off: ${digest.stop_url}`
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
  const end = `${WHY} ${link(digest.settings_url, 'settings')} · ${link(digest.stop_url, 'turn them off')}`
  return `<!doctype html><html><meta charset="utf-8"><body>${chats.join('')}<hr><p><small>${end}</small></p></body></html>`
}
