import type { ChatCommand, GroupTag, PersonCard } from '@parley/contract'
import { useEffect, useState } from 'preact/hooks'
import { call } from '../platform/api.js'
import { apply } from '../store.js'
import { matchCommands } from './marks.js'

/** Somebody or a group that the text can name, or a command of a bot. */
export type Candidate =
  | { kind: 'person'; person: PersonCard }
  | { kind: 'tag'; tag: GroupTag }
  | { kind: 'command'; command: ChatCommand }

/** What choosing it writes. */
export function insertedText(candidate: Candidate): string {
  if (candidate.kind === 'command') return candidate.command.command
  const name =
    candidate.kind === 'person' ? candidate.person.nickname : candidate.tag.name.replaceAll(' ', '')
  return `@${name}`
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

/** Commands of the bots in the chat that begin as typed; they are read once, with the first slash. */
export function useCommands(query: string | null, chatId: number | null): readonly Candidate[] {
  const [known, setKnown] = useState<readonly ChatCommand[] | null>(null)
  const wanted = query !== null && chatId !== null
  useEffect(() => {
    if (!wanted) return
    const abort = new AbortController()
    call('listChatCommands', { params: { id: chatId }, signal: abort.signal }).then(
      ({ data, people }) => {
        apply({ type: 'people', people })
        setKnown(data)
      },
      () => {},
    )
    return () => abort.abort()
  }, [wanted, chatId])
  if (query === null || !known) return []
  return matchCommands(known, query).map((command) => ({ kind: 'command', command }))
}
