import { signal } from '@preact/signals'
import { ErrorBoundary, lazy } from 'preact-iso'

const SectionDialog = lazy(() => import('./section-dialog.js').then((all) => all.SectionDialog))

/** The section that is being named: a new one, with the chat that goes there first, or one that is there. */
export const naming = signal<{ section_id: string } | { chat_id: number | null } | null>(null)

export function nameNewSection(chatId: number | null = null) {
  naming.value = { chat_id: chatId }
}

export function SectionHost() {
  return naming.value ? (
    <ErrorBoundary>
      <SectionDialog asked={naming.value} />
    </ErrorBoundary>
  ) : null
}
