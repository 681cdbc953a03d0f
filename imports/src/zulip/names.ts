import { filled } from '../json.js'
import { streamId } from './messages.js'
import { streamName } from './streams.js'
import type { Tables } from './tables.js'
import type { ZulipNames } from './text.js'

/** Two people may have one full name: the bare form names the one who is in the chat, or nobody. */
export function namesOf(
  tables: Tables,
  emoji: ReadonlyMap<string, string>,
): (recipient: string) => ZulipNames {
  const byName = new Map<string, string[]>()
  for (const [id, row] of [...tables.people, ...tables.dummies]) {
    const name = filled(row.full_name)
    if (name) byName.set(name, [...(byName.get(name) ?? []), id])
  }
  const findPerson = (name: string, recipient: string): string | null => {
    const known = byName.get(name) ?? []
    const inside = new Set(known.length > 1 ? tables.subscribers.get(recipient) : known)
    const [one, ...others] = known.filter((id) => inside.has(id))
    return one !== undefined && others.length === 0 ? one : null
  }
  const streams = new Map([...tables.streams].map(([id, row]) => [streamName(row, id), streamId(id)]))
  const groups = new Map([...tables.groups].map(([id, { name }]) => [name, id]))
  return (recipient) => ({
    person(id, name) {
      const known = id ?? findPerson(name, recipient)
      return known ? { type: 'person', id: known, label: name } : null
    },
    group(name) {
      const id = groups.get(name)
      return id ? { type: 'tag', id, label: name } : null
    },
    stream: (name) => streams.get(name) ?? null,
    emoji: (name) => emoji.get(name) ?? null,
  })
}
