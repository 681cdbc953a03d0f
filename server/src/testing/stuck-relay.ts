import { pino } from 'pino'
import { openContext } from '../open-context.js'
import { systemClock } from '../platform/clock.js'
import { readConfig } from '../platform/config.js'
import { fixedPrimary } from '../platform/db/primary.js'
import { startRelay } from '../platform/events/relay.js'
import { startWatchdog } from '../platform/events/watchdog.js'
import { createPasswords } from '../platform/passwords.js'

/** A process whose relay has a reader that never lets the event loop go on, at events about message 1. */
const config = readConfig(process.env)
const url = config.database_url as string
const { ctx } = await openContext(
  config,
  fixedPrimary(url),
  systemClock,
  pino({ level: 'silent' }),
  createPasswords(),
)
startWatchdog(ctx.round, url, 500)
const relay = startRelay(
  ctx,
  [
    async (_tx, events) => {
      const forever = new Int32Array(new SharedArrayBuffer(4))
      const isStuck = events.some(({ payload }) => 'message_id' in payload && payload.message_id === 1)
      if (isStuck) Atomics.wait(forever, 0, 0)
    },
  ],
  () => {},
)
// The first round suspects the backlog; what comes after it is taken together.
await relay.drain()
relay.start()
process.send?.('ready')
