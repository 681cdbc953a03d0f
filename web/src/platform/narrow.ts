import { useEffect, useState } from 'preact/hooks'

/** True where one pane fills the screen. */
export function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(() => matchMedia('(max-width: 760px)').matches)
  useEffect(() => {
    const query = matchMedia('(max-width: 760px)')
    const change = () => setNarrow(query.matches)
    query.addEventListener('change', change)
    return () => query.removeEventListener('change', change)
  }, [])
  return narrow
}
