import type { Redis } from 'ioredis'
import type { Clock } from '../clock.js'
import { createMemoryRates } from './memory.js'
import {
  allowed,
  HOLD_MS,
  HOLD_RULE,
  type RateBucket,
  type Rates,
  type RateVerdict,
  refused,
} from './rates.js'
import { TAKE_SCRIPT } from './take-script.js'

export interface RatesLog {
  info(message: string): void
  warn(message: string): void
}

interface TakingRedis extends Redis {
  takeRates(keyCount: number, ...keysThenArguments: (string | number)[]): Promise<TakeReply>
}

type TakeReply = [allowed: number, which: number, remaining: number, reset_ms: number]

const COMMAND_TIMEOUT_MS = 250
/** After a failure requests are counted here for so long before one of them asks Redis again. */
const PAUSE_MS = 1_000
const HOLD_ARGUMENTS = [HOLD_RULE.limit, HOLD_RULE.window_ms, HOLD_MS]

/** Counts in Redis, for all processes together; while it cannot be reached, in this process alone. */
export async function createRedisRates(
  clock: Clock,
  redisUrl: string,
  log: RatesLog,
  command_timeout_ms = COMMAND_TIMEOUT_MS,
): Promise<Rates> {
  const redis = await connect(redisUrl, command_timeout_ms)
  const memory = createMemoryRates(clock)
  let shared = true
  let paused_until = 0
  let enabled = true

  function lost(why: string) {
    paused_until = performance.now() + PAUSE_MS
    if (shared) log.warn(`Redis failed; counting rates in this process alone: ${why}`)
    shared = false
  }

  function found() {
    if (!shared) log.info('Redis recovered; rates are shared again')
    shared = true
  }

  if (redis.status !== 'ready') lost('no connection')
  redis.on('ready', () => {
    paused_until = 0
    found()
  })

  async function takeShared(buckets: readonly [RateBucket, ...RateBucket[]], holder?: string) {
    try {
      const reply = await redis.takeRates(buckets.length + 2, ...scriptInput(buckets, holder, clock.now()))
      found()
      return readReply(buckets, reply)
    } catch (error) {
      lost((error as Error).message)
      return memory.take(buckets, holder)
    }
  }

  return {
    take(buckets, holder) {
      if (!enabled) return allowed(buckets[0].rule, buckets[0].rule.limit, 0)
      if (performance.now() < paused_until) return memory.take(buckets, holder)
      if (redis.status === 'ready') {
        // Until it has answered, a lost Redis is asked by this one request only.
        if (!shared) paused_until = performance.now() + PAUSE_MS
        return takeShared(buckets, holder)
      }
      lost('no connection')
      return memory.take(buckets, holder)
    },
    setEnabled(value) {
      enabled = value
    },
    async close() {
      redis.disconnect()
    },
  }
}

async function connect(redisUrl: string, commandTimeout: number): Promise<TakingRedis> {
  // Loaded only where it is used: an installation without Redis does not pay for its client.
  const { Redis } = await import('ioredis')
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    commandTimeout,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  })
  // Every failure also reaches the request that met it, or shows in the status.
  redis.on('error', () => {})
  redis.defineCommand('takeRates', { lua: TAKE_SCRIPT })
  await redis.connect().catch(() => {})
  return redis as TakingRedis
}

/** Connects and asks once; rejects with what went wrong. */
export async function pingRedis(redisUrl: string): Promise<void> {
  const { Redis } = await import('ioredis')
  const redis = new Redis(redisUrl, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null })
  let reason: Error | undefined
  redis.on('error', (error) => {
    reason = error
  })
  try {
    await redis.connect()
    await redis.ping()
  } catch (error) {
    throw reason ?? error
  } finally {
    redis.disconnect()
  }
}

function scriptInput(buckets: readonly RateBucket[], holder: string | undefined, now: number) {
  const keys = [`rates:hold:${holder ?? ''}`, `rates:refusals:${holder ?? ''}`]
  const figures: number[] = []
  for (const { rule, key } of buckets) {
    keys.push(`rates:by:${rule.name}:${key}`)
    figures.push(rule.limit, rule.window_ms)
  }
  return [...keys, Math.floor(now), holder === undefined ? 0 : 1, ...HOLD_ARGUMENTS, ...figures]
}

function readReply(buckets: readonly RateBucket[], reply: TakeReply): RateVerdict {
  const [isAllowed, which, remaining, reset_ms] = reply
  const rule = which === 0 ? HOLD_RULE : buckets[which - 1]!.rule
  return isAllowed ? allowed(rule, remaining, reset_ms) : refused(rule, reset_ms)
}
