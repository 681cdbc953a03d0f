import { call } from '../platform/api.js'
import { apply, state } from '../store.js'

/** The server gives no more. */
const AT_ONCE = 200

/** Reads the cards of those whom the state does not know yet. */
export async function readPeopleOf(ids: readonly number[]) {
  const missing = [...new Set(ids)].filter((id) => !state.people.peek().has(id))
  for (let at = 0; at < missing.length; at += AT_ONCE) await readPeople(missing.slice(at, at + AT_ONCE))
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
