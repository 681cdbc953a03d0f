import type { GroupTag, PersonCard } from '@parley/contract'
import { useEffect, useState } from 'preact/hooks'
import { call } from '../platform/api.js'
import { apply } from '../store.js'

/** Somebody or a group that the text can name. */
export type Candidate = { kind: 'person'; person: PersonCard } | { kind: 'tag'; tag: GroupTag }

export function insertedName(candidate: Candidate): string {
  return candidate.kind === 'person' ? candidate.person.nickname : candidate.tag.name.replaceAll(' ', '')
}

const LOOK_UP_AFTER_MS = 120

/** Who a mention that is being typed may mean; none while nothing is typed. */
export function useMentions(query: string | null, chatId: number | null): readonly Candidate[] {
  const [found, setFound] = useState<readonly Candidate[]>([])
  useEffect(() => {
    if (query === null) return setFound([])
    const abort = new AbortController()
    const timer = setTimeout(async () => {
      const { signal } = abort
      const chat = chatId === null ? {} : { chat_id: chatId }
      const [people, tags] = await Promise.all([
        call('listPeople', { query: { query, limit: 8, ...chat }, signal }),
        call('lookUpGroupTags', { query: { query, limit: 4 }, signal }),
      ])
      if (signal.aborted) return
      apply({ type: 'people', people: people.data })
      setFound([
        ...people.data.map((person): Candidate => ({ kind: 'person', person })),
        ...tags.data.map((tag): Candidate => ({ kind: 'tag', tag })),
      ])
    }, LOOK_UP_AFTER_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [query, chatId])
  return found
}
