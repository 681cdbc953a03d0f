import { state } from '../store.js'
import { readPeopleOf } from './actions.js'

/** What a screen names is asked for together. */
const ASK_AFTER_MS = 20
/** Whom the server did not give is not asked for with every drawing. */
const ASK_AGAIN_MS = 30_000

let wanted = new Set<number>()
const asked = new Map<number, number>()

async function ask() {
  const ids = [...wanted]
  wanted = new Set()
  // Signed out meanwhile.
  if (state.session.peek() === null) return
  for (const id of ids) asked.set(id, performance.now())
  // Whoever names them next asks again.
  await readPeopleOf(ids).catch(() => ids.forEach((id) => void asked.delete(id)))
}

/** The screen names somebody whose card is not here. */
export function wantPerson(id: number) {
  const isAsked = performance.now() - (asked.get(id) ?? Number.NEGATIVE_INFINITY) < ASK_AGAIN_MS
  if (id <= 0 || isAsked || state.session.peek() === null) return
  if (wanted.size === 0) setTimeout(() => void ask(), ASK_AFTER_MS)
  wanted.add(id)
}
