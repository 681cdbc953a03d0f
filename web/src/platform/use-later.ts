import { useEffect, useRef } from 'preact/hooks'

/** Does the work a moment after it was asked for, once for all that asked meanwhile. */
export function useThrottled(pause_ms: number, work: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      work()
    }, pause_ms)
  }
}

/** Does the work whenever the value has changed. */
export function useChanged(value: unknown, work: () => void) {
  const before = useRef(value)
  useEffect(() => {
    if (before.current === value) return
    before.current = value
    work()
  }, [value])
}
