import { useEffect, useRef } from 'preact/hooks'

/** Does the work every so often while the page is looked at, and at once when it is looked at again; null for never. */
export function useEvery(pause_ms: number | null, work: () => void) {
  const latest = useRef(work)
  latest.current = work
  useEffect(() => {
    if (pause_ms === null) return
    let last = performance.now()
    const look = () => {
      if (document.visibilityState !== 'visible' || performance.now() - last < pause_ms) return
      last = performance.now()
      latest.current()
    }
    const timer = setInterval(look, pause_ms)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [pause_ms])
}
