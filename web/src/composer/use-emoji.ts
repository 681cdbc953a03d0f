import { useEffect, useMemo, useState } from 'preact/hooks'
import { type Emoji, findEmoji } from '../emoji/find.js'
import { loadEmoji } from '../emoji/load.js'
import type { Candidate } from './use-mentions.js'

const AT_MOST = 8

/** Emoji with a name or a tag that begins as typed; they are loaded with the first colon. */
export function useEmoji(query: string | null): readonly Candidate[] {
  const [all, setAll] = useState<readonly Emoji[]>([])
  const isWanted = query !== null
  useEffect(() => {
    if (isWanted && all.length === 0) loadEmoji().then(setAll, () => {})
  }, [isWanted])
  return useMemo(() => {
    if (query === null) return []
    const found = findEmoji(all, query, 'begin').slice(0, AT_MOST)
    return found.map(([char, name]) => ({ kind: 'emoji', char, name }))
  }, [all, query])
}
