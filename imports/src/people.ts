import type { PersonRecord, ReadOptions } from './records.js'

/** Somebody who is known by an id alone: authorship stays, nobody can sign in. */
export function placeholderOf(id: string, name: string | null = null): PersonRecord {
  return {
    kind: 'person',
    id,
    handle: name ?? `former ${id}`,
    first_name: name ?? `Former member (${id})`,
    last_name: null,
    email: null,
    title: null,
    phone: null,
    time_zone: null,
    role: 'user',
    state: 'placeholder',
    created_at: null,
  }
}

/** A person as the importer was asked to take them, whatever the source. */
export function personAsAsked(person: PersonRecord, { guests, deactivated }: ReadOptions): PersonRecord {
  if (person.state === 'suspended' && deactivated === 'placeholder')
    return { ...person, state: 'placeholder' }
  const isGuest = person.role === 'guest' || person.role === 'multi_guest'
  if (isGuest && guests === 'user') return { ...person, role: 'user' }
  return isGuest && guests === 'skip' ? { ...person, role: 'user', state: 'placeholder' } : person
}
