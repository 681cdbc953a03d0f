import type { PersonCard } from '@parley/contract'
import { words } from '../platform/i18n.js'
import { state } from '../store.js'
import { wantPerson } from './wanted.js'

const UNKNOWN = { image_url: null, bot: false } as const

type Shown = Pick<PersonCard, 'id' | 'name' | 'image_url' | 'bot'> & Partial<PersonCard>

/** A person as the screen names them. A card that is not here is asked for. */
export function personAt(id: number): Shown {
  const card = state.people.value.get(id)
  if (!card) {
    wantPerson(id)
    return { id, name: '…', ...UNKNOWN }
  }
  return card.deleted && card.name === '' ? { ...card, name: words().common.deletedPerson } : card
}

export function firstNameOf(id: number): string {
  const { first_name, name } = personAt(id)
  return first_name || name
}

/** `Mira`, `Mira and Lena`, `Mira, Lena and 3 more`. */
export function listNames(ids: readonly number[], count = ids.length): string {
  const { common } = words()
  const names = ids.slice(0, 3).map(firstNameOf)
  const rest = count - names.length
  if (rest > 0) return common.and(names.join(', '), common.morePeople(rest))
  const last = names.pop() ?? ''
  return names.length === 0 ? last : common.and(names.join(', '), last)
}
