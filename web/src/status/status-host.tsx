import { signal } from '@preact/signals'
import { ErrorBoundary, lazy } from 'preact-iso'

const StatusDialog = lazy(() => import('./status-dialog.js').then(({ StatusDialog }) => StatusDialog))

export const statusOpen = signal(false)

/** The dialog that sets the own status, which loads with its first opening. */
export function StatusHost() {
  if (!statusOpen.value) return null
  const close = () => {
    statusOpen.value = false
  }
  return (
    <ErrorBoundary>
      <StatusDialog onClose={close} />
    </ErrorBoundary>
  )
}
