import { join } from 'node:path'
import { openChainKey } from './audit/seal.js'
import { findWorkspace } from './company/queries.js'
import { noteTokenUse } from './oauth/queries.js'
import type { Clock } from './platform/clock.js'
import type { Config } from './platform/config.js'
import type { Context } from './platform/context.js'
import type { AutocommitPool } from './platform/db/index.js'
import { watchOutages } from './platform/db/outage.js'
import { openPools } from './platform/db/pools.js'
import type { Primary } from './platform/db/primary.js'
import { openReplicas } from './platform/db/replicas.js'
import { openBell } from './platform/events/bell.js'
import { createRound } from './platform/events/round.js'
import { createAdmission, type TokenUse } from './platform/http/admit.js'
import type { Log } from './platform/log.js'
import { openMail } from './platform/mail/open.js'
import { createMetrics } from './platform/metrics.js'
import { createOnline } from './platform/online.js'
import { createFaults } from './platform/outbound/faults.js'
import { createOutbound } from './platform/outbound/outbound.js'
import type { Passwords } from './platform/passwords.js'
import { createPictures } from './platform/pictures/pictures.js'
import { closeFolder } from './platform/private-folder.js'
import { createMemoryRates } from './platform/rates/memory.js'
import { type Rates, withWindows } from './platform/rates/rates.js'
import { createRedisRates } from './platform/rates/redis.js'
import { createResets, type Resets } from './platform/resets.js'
import { openBucket, openStorage } from './platform/storage/open.js'
import { createTranscriber } from './platform/transcriber.js'
import { noteActivity } from './users/queries.js'

/** Where the local store keeps what people upload. */
export function filesFolder(config: Config): string {
  return join(config.data_dir, 'files')
}

/** Where mail waits for a person to read it while no mail server is set. */
export function outboxFolder(config: Config): string {
  return join(config.data_dir, 'outbox')
}

async function openRates(config: Config, clock: Clock, log: Log, resets: Resets): Promise<Rates> {
  if (config.redis_url)
    return withWindows(await createRedisRates(clock, config.redis_url, log), config.rate_windows)
  const rates = createMemoryRates(clock)
  resets.add(() => rates.forget())
  return withWindows(rates, config.rate_windows)
}

export interface Opened {
  ctx: Context
  close(): Promise<void>
}

/** Using a token is activity of its holder. */
async function noteUse(pool: AutocommitPool, use: TokenUse) {
  const holder = await noteTokenUse(pool, use)
  if (holder !== undefined) await noteActivity(pool, holder, use.at)
}

/** What keeps something in memory, each with its reset. */
async function openMemory(config: Config, clock: Clock, log: Log, pool: AutocommitPool, resets: Resets) {
  const rates = await openRates(config, clock, log, resets)
  const limit = () => rates.setEnabled(config.rate_limits)
  limit()
  resets.add(limit)
  const admission = createAdmission({ pool, clock, noteUse: (use) => noteUse(pool, use) })
  resets.addKept(() => admission.forget())
  const metrics = createMetrics()
  resets.add(() => metrics.registry.resetMetrics())
  const faults = createFaults()
  resets.add(() => faults.set(null))
  return { resets, rates, admission, metrics, faults, online: createOnline(), round: createRound() }
}

function openOutbound({ outbound_allow: allow, loopback_only: allowLoopback }: Config) {
  return {
    outbound: createOutbound({ allow, allowLoopback, maxConnectionsPerOrigin: 64 }),
    outbound_public: createOutbound({ allow, allowLoopback: false }),
  }
}

/** Makes what every request and every job shares. The workspace must be there already. */
export async function openContext(
  config: Config,
  primary: Primary,
  clock: Clock,
  given: Log,
  passwords: Passwords,
  openKey = openChainKey,
): Promise<Opened> {
  const resets = createResets()
  const outages = watchOutages(given, () => pools.usual, {
    onFailure: () => primary.hurry(),
    onTurn: () => resets.forgetKept(),
  })
  const { log, onError } = outages
  const pools = openPools({ primary, pooler: config.database_pooler_url }, config.pool_size, onError)
  const { usual: pool, db } = pools
  const replicas = openReplicas(config.database_replica_urls, config.pool_size, pool, log)
  const workspace = await findWorkspace(db)
  if (!workspace) throw new Error('The workspace was not made.')
  const bell = await openBell(primary, pool, onError)
  const memory = await openMemory(config, clock, log, pool, resets)
  const { outbound, outbound_public } = openOutbound(config)
  const bucket = openBucket(config, clock, log)
  await Promise.all([filesFolder(config), outboxFolder(config)].map(closeFolder))
  const ctx: Context = {
    config,
    log,
    clock,
    db,
    autocommit: db,
    pool,
    autocommit_pool: pool,
    hot_pool: pools.hot,
    searches: pools.searches,
    replicas,
    leashed: pools.leashed,
    bell,
    ...memory,
    outbound,
    outbound_public,
    storage: openStorage(config, filesFolder(config), workspace.secret, clock),
    transcriber: createTranscriber(config),
    disk: { full_at: null },
    drain: { began: false },
    mail: openMail(config, outboxFolder(config), clock),
    pictures: createPictures(),
    passwords,
    audit_key: await openKey(db, config),
    secret: workspace.secret,
  }
  return {
    ctx,
    async close() {
      outages.close()
      bucket?.stop()
      await bell.close()
      await Promise.all([memory.rates.close(), outbound.close(), outbound_public.close()])
      await ctx.transcriber?.close()
      await Promise.all([replicas?.close(), pools.close()])
    },
  }
}
