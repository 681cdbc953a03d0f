import { type ClaimedLane, capOf, type Room } from './claim-queries.js'

/** The lanes that this process is sending, counted by bot and by host. */
export function createLanesInFlight() {
  const flights = new Map<string, Promise<void>>()
  const bots = new Map<number, { lanes: number; cap: number }>()
  const origins = new Map<string, number>()

  function count(lane: ClaimedLane, change: 1 | -1) {
    const bot = bots.get(lane.bot_id) ?? { lanes: 0, cap: 0 }
    bot.lanes += change
    bot.cap = capOf(lane.failures)
    if (bot.lanes > 0) bots.set(lane.bot_id, bot)
    else bots.delete(lane.bot_id)
    const lanes = (origins.get(lane.origin) ?? 0) + change
    if (lanes > 0) origins.set(lane.origin, lanes)
    else origins.delete(lane.origin)
  }

  return {
    size: () => flights.size,
    ended: () => [...flights.values()],
    /** What may be claimed, where so many lanes may be in flight at once. */
    roomWithin: (limit: number): Room => ({ lanes: limit - flights.size, bots, origins }),
    add(lane: ClaimedLane, work: (lane: ClaimedLane) => Promise<void>, onEnd: () => void) {
      const key = `${lane.bot_id}:${lane.chat_id}`
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
