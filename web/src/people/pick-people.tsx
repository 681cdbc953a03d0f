import type { PersonCard } from '@parley/contract'
import { useState } from 'preact/hooks'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { useLookUp } from '../platform/use-look-up.js'
import { apply } from '../store.js'
import { matches } from '../switcher/find.js'
import { Pick } from '../ui/pick.js'
import { PersonAvatar } from './person-avatar.js'

interface PickPeopleProps {
  label: string
  chosen: readonly PersonCard[]
  /** Left out of what is found, such as those who are in the chat already. */
  without?: ReadonlySet<number>
  onChange(chosen: readonly PersonCard[]): void
}

/** People and bots by the beginnings of their names. */
export function PickPeople({ without = new Set(), ...props }: PickPeopleProps) {
  const { browse } = words()
  const [text, setText] = useState('')
  const { found, fresh } = useLookUp(text, async (query, signal) => {
    const { data } = await call('listPeople', { query: { query, limit: 20 }, signal })
    apply({ type: 'people', people: data })
    return data
  })
  // Enter takes the first one: what an earlier text found must not be it.
  const fits = ({ id, name, nickname }: PersonCard) =>
    !without.has(id) && (fresh || matches(text, `${name} ${nickname}`))
  return (
    <Pick
      {...props}
      placeholder={browse.addPeople}
      items={(found ?? []).filter(fits)}
      empty={browse.nobody}
      removeLabel={browse.takeOut}
      draw={(person) => (
        <>
          <PersonAvatar id={person.id} size="small" />
          <span class="option-name">{person.name}</span>
          <span class="option-more">@{person.nickname}</span>
        </>
      )}
      onSearch={setText}
    />
  )
}
