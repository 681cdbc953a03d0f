import type { Button } from '@parley/contract'
import { ApiFailure, call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { refusalText } from '../platform/refusal.js'
import { apply, hearing } from '../store.js'
import { confirm } from '../ui/confirm.js'

/** Reads the open forms: the live stream only says that there is a new one. */
export function readViews(): Promise<void> {
  return hearing(call('listViews'), ({ data }, heard) => {
    // The answer may be from before a form that was opened or closed meanwhile.
    const isOld = heard.some((change) => change.type === 'live' && change.frame.type.startsWith('view.'))
    if (isOld) return readViews()
    apply({ type: 'views', views: data })
  })
}

/** The form is done with, here at once and in other tabs by the live stream. */
export function dropView(id: string) {
  const frame = { type: 'view.closed', chat_id: null, actor_id: 0, created_at: '', payload: { view_id: id } }
  apply({ type: 'live', me: 0, frame })
}

export async function openLink(url: string) {
  const { messages, common } = words()
  const question = { title: messages.openLink, text: url, action: messages.open, cancel: common.cancel }
  if (await confirm(question)) open(url, '_blank', 'noopener,noreferrer')
}

export interface Pressed {
  message_id: number
  button: Button
  row: number
  column: number
}

/** Presses a button of a bot; gives what went wrong. */
export async function pressButton({ message_id, row, column }: Pressed): Promise<string | null> {
  try {
    await call('pressButton', { params: { id: message_id }, body: { row, column } })
    return null
  } catch (error) {
    const { forms } = words()
    if (!(error instanceof ApiFailure)) return refusalText(error)
    if (error.code === 'displayed_error') return forms.botDoesNotHear
    return error.status === 404 || error.code === 'not_found' ? forms.buttonGone : refusalText(error)
  }
}
