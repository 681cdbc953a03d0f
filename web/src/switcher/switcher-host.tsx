import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ErrorBoundary, lazy } from 'preact-iso'

const load = () => import('./switcher.js').then(({ Switcher }) => Switcher)
const Switcher = lazy(load)
const LOADED_AFTER_MS = 3000

export const switcherOpen = signal(false)

/** The quick switcher. It loads after the first screen: who opens it types on at once, and each key has to find it. */
export function SwitcherHost() {
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => {}), LOADED_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
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
