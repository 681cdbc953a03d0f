import type { ChatCard } from '@parley/contract'
import { useEvery } from '../platform/use-every.js'
import { fresh } from '../sync.js'

/** Nobody hears of an open chat that they are not in: what is shown of it is read again while they look at it. */
const LOOK_EVERY_MS = 5_000

export function useLookIn(card: ChatCard | undefined, read: () => Promise<unknown>) {
  const looksIn = card !== undefined && card.my_role === null && !card.archived && fresh.value
  useEvery(looksIn ? LOOK_EVERY_MS : null, () => void read().catch(() => {}))
}
