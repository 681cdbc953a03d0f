import { addressKey, type Busy, type ClaimedLane, capOf, type Room } from './claim-queries.js'

type Work = (lane: ClaimedLane, onSent: () => void) => Promise<void>

/** The lanes that this process is sending, counted by address and by host, and those that it settles after that. */
export function createLanesInFlight() {
  const flights = new Set<Promise<void>>()
  const addresses = new Map<string, Busy>()
  const origins = new Map<string, number>()
  let sending = 0

  function count(lane: ClaimedLane, change: 1 | -1) {
    sending += change
    const { bot_id, endpoint_id, replay_id } = lane
    const key = addressKey(lane)
    const address = addresses.get(key) ?? { bot_id, endpoint_id, replay_id, lanes: 0, cap: 0 }
    address.lanes += change
    address.cap = capOf(lane)
    if (address.lanes > 0) addresses.set(key, address)
    else addresses.delete(key)
    const lanes = (origins.get(lane.origin) ?? 0) + change
    if (lanes > 0) origins.set(lane.origin, lanes)
    else origins.delete(lane.origin)
  }

  return {
    size: () => flights.size,
    ended: () => [...flights],
    /** What may be claimed, where so many lanes may be sent at once, and as many settled meanwhile. */
    roomWithin: (limit: number): Room => ({
      lanes: Math.min(limit - sending, 2 * limit - flights.size),
      addresses,
      origins,
    }),
    /** `onFree` is called when others may be sent in its place, and when it is settled. */
    add(lane: ClaimedLane, work: Work, onFree: () => void) {
      let sent = false
      const free = () => {
        if (!sent) count(lane, -1)
        sent = true
        onFree()
      }
      count(lane, 1)
      const flight = work(lane, free).finally(() => {
        flights.delete(flight)
        free()
      })
      flights.add(flight)
    },
  }
}
