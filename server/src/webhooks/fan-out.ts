import type { Context } from '../platform/context.js'
import type { EventReader } from '../platform/events/relay.js'

export function fanOut(_ctx: Context): EventReader {
  return async () => {}
}
