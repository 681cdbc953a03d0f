import { useEffect, useRef } from 'preact/hooks'

/** Does the work every so often while the page is looked at, and at once when it is looked at again; null for never. */
export function useEvery(pause_ms: number | null, work: () => void) {
  const latest = useRef(work)
  latest.current = work
  useEffect(() => {
    if (pause_ms === null) return
    let last = performance.now()
    const act = () => {
      if (document.visibilityState !== 'visible') return
      last = performance.now()
      latest.current()
    }
    const comeBack = () => {
      if (performance.now() - last >= pause_ms) act()
    }
    const timer = setInterval(act, pause_ms)
    document.addEventListener('visibilitychange', comeBack)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', comeBack)
    }
  }, [pause_ms])
}
