import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { rescueFocus } from '../ui/modal.js'

/** Longer than a screen takes to load its code. */
const RESCUED_AFTER_MS = 300

/** When the focused link goes away with its screen, the new screen gets the focus. */
export function KeptFocus() {
  const { url } = useLocation()
  useEffect(() => {
    const frame = requestAnimationFrame(rescueFocus)
    const timer = setTimeout(rescueFocus, RESCUED_AFTER_MS)
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [url])
  return null
}
