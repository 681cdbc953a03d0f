import { addressKey, type Busy, type ClaimedLane, capOf, laneKey, type Room } from './claim-queries.js'

/** The lanes that this process is sending, counted by address and by host. */
export function createLanesInFlight() {
  const flights = new Map<string, Promise<void>>()
  const addresses = new Map<string, Busy>()
  const origins = new Map<string, number>()

  function count(lane: ClaimedLane, change: 1 | -1) {
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
    ended: () => [...flights.values()],
    /** What may be claimed, where so many lanes may be in flight at once. */
    roomWithin: (limit: number): Room => ({ lanes: limit - flights.size, addresses, origins }),
    add(lane: ClaimedLane, work: (lane: ClaimedLane) => Promise<void>, onEnd: () => void) {
      const key = laneKey(lane)
      count(lane, 1)
      const flight = work(lane).finally(() => {
        flights.delete(key)
        count(lane, -1)
        onEnd()
      })
      flights.set(key, flight)
    },
  }
}
