import { signal } from '@preact/signals'
import { ErrorBoundary, lazy } from 'preact-iso'

const Switcher = lazy(() => import('./switcher.js').then(({ Switcher }) => Switcher))

export const switcherOpen = signal(false)

/** The quick switcher, which loads with its first opening. */
export function SwitcherHost() {
  if (!switcherOpen.value) return null
  const close = () => {
    switcherOpen.value = false
  }
  return (
    <ErrorBoundary>
      <Switcher onClose={close} />
    </ErrorBoundary>
  )
}
