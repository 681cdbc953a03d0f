import type { ChatCommand, GroupTag, PersonCard } from '@parley/contract'
import { useEffect, useState } from 'preact/hooks'
import { call } from '../platform/api.js'
import { apply } from '../store.js'
import { matches } from '../switcher/find.js'
import { matchCommands } from './marks.js'

/** Somebody or a group that the text can name, a command of a bot, or an emoji. */
export type Candidate =
  | { kind: 'person'; person: PersonCard }
  | { kind: 'tag'; tag: GroupTag }
  | { kind: 'command'; command: ChatCommand }
  | { kind: 'emoji'; char: string; name: string }

/** What choosing it writes. */
export function insertedText(candidate: Candidate): string {
  if (candidate.kind === 'command') return candidate.command.command
  if (candidate.kind === 'emoji') return candidate.char
  const name =
    candidate.kind === 'person' ? candidate.person.nickname : candidate.tag.name.replaceAll(' ', '')
  return `@${name}`
}

const LOOK_UP_AFTER_MS = 120

interface Found {
  /** The text that found them. */
  of: string | null
  all: readonly Candidate[]
}
const NOTHING: Found = { of: null, all: [] }

function fits(candidate: Candidate, query: string): boolean {
  if (query === '') return false
  if (candidate.kind === 'tag') return matches(query, candidate.tag.name)
  if (candidate.kind !== 'person') return false
  return matches(query, `${candidate.person.name} ${candidate.person.nickname}`)
}

async function lookUp(query: string, chatId: number | null, signal: AbortSignal): Promise<Candidate[]> {
  const chat = chatId === null ? {} : { chat_id: chatId }
  const [people, tags] = await Promise.all([
    call('listPeople', { query: { query, limit: 8, ...chat }, signal }),
    call('lookUpGroupTags', { query: { query, limit: 4 }, signal }),
  ])
  apply({ type: 'people', people: people.data })
  return [
    ...people.data.map((person): Candidate => ({ kind: 'person', person })),
    ...tags.data.map((tag): Candidate => ({ kind: 'tag', tag })),
  ]
}

/** Who a mention that is being typed may mean; none while nothing is typed. */
export function useMentions(query: string | null, chatId: number | null): readonly Candidate[] {
  const [found, setFound] = useState<Found>(NOTHING)
  useEffect(() => {
    if (query === null) return setFound(NOTHING)
    const abort = new AbortController()
    const timer = setTimeout(
      () =>
        lookUp(query, chatId, abort.signal).then(
          (all) => abort.signal.aborted || setFound({ of: query, all }),
          // Other letters were typed, or there is no connection: then nobody is suggested.
          () => {},
        ),
      LOOK_UP_AFTER_MS,
    )
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [query, chatId])
  // Enter takes the first one: what an earlier text found must not be it.
  return found.of === query ? found.all : found.all.filter((one) => fits(one, query ?? ''))
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
