import { call } from '../platform/api.js'
import { apply, state } from '../store.js'

/** Reads the cards of those whom the state does not know yet. */
export async function readPeopleOf(ids: readonly number[]) {
  const missing = [...new Set(ids)].filter((id) => !state.people.peek().has(id)).slice(0, 200)
  if (missing.length === 0) return
  await readPeople(missing)
}

/** Reads a card anew; false where there is nobody. */
export async function readPerson(id: number): Promise<boolean> {
  return (await readPeople([id])).length > 0
}

async function readPeople(ids: number[]) {
  const { data } = await call('listPeople', { query: { ids } })
  apply({ type: 'people', people: data })
  return data
}
