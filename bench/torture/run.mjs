// Torture: load, faults and kills, then quiet, then the questions.
import { randomFrom } from '../stage/words.mjs'
import { openBalancer } from './balancer.mjs'
import { createCaller } from './call.mjs'
import { gather } from './cast.mjs'
import {
  checkAudit,
  checkCounters,
  checkDeliveries,
  checkEvents,
  checkExports,
  checkPages,
  checkRosters,
  checkRoving,
  checkSchedules,
  checkStreams,
  checkWrites,
} from './checks.mjs'
import { OWNER_TOKEN, openCluster } from './cluster.mjs'
import { startExporting } from './exports.mjs'
import { failOver } from './failover.mjs'
import { kill } from './kills.mjs'
import { startMoving } from './members.mjs'
import { openReceivers } from './receivers.mjs'
import { roll } from './rolling.mjs'
import { startPlanning } from './schedules.mjs'
import { settle } from './settle.mjs'
import { startWatching } from './streams.mjs'
import { startWriting } from './writers.mjs'

const MODES = { kills: kill, failover: failOver, rolling: roll }

/** Runs until so many kills are done, or the time is over. `faults` is empty when everything held. */
export async function torture({
  kills,
  seed,
  minutes = 30,
  faults_each = 2,
  mode = 'kills',
  say = () => {},
}) {
  const began = performance.now()
  // Each actor draws from a source of its own, so that one's pace does not change another's choices.
  const source = (n) => randomFrom(seed * 1000 + n)
  const receivers = await openReceivers(source(1), { faults: faults_each })
  const rolling = mode === 'rolling'
  const cluster = await openCluster({ say, failover: mode === 'failover', drain_s: rolling ? 1 : 0 })
  const balancer = rolling ? await openBalancer(cluster.urls) : undefined
  try {
    const { pool } = cluster
    const cast = await gather(pool, receivers)
    const caller = createCaller(balancer ? { urls: [balancer.url] } : cluster, source(2))
    const watching = balancer && startWatching({ url: balancer.url, people: cast.writers })
    await watching?.begun()
    const writing = startWriting({ caller, random: source(3), cast })
    const planning = startPlanning({ caller, random: source(6), cast })
    const exporting = startExporting({ caller, token: OWNER_TOKEN, webhook_url: receivers.urlOf(0) })
    const moving = startMoving({ caller, random: source(4), cast })
    const until = began + minutes * 60_000
    const killed = await MODES[mode]({ cluster, random: source(5), kills, until, say })
    await cluster.whole()
    await Promise.all([writing.stop(), moving.stop(), planning.stop(), exporting.stop()])
    receivers.behave()
    const missed = watching ? await checkStreams(pool, watching, cast.rooms) : []
    await settle(pool, { at_most_ms: 300_000, say })
    const faults = [
      ...missed,
      ...(rolling && caller.failed() > 0 ? [`${caller.failed()} requests were lost`] : []),
      ...(await checkWrites(pool, writing, cast.rooms)),
      ...(await checkEvents(pool)),
      ...(await checkDeliveries(pool, receivers, cast)),
      ...(await checkRoving(pool, receivers, cast)),
      ...(await checkRosters(pool, moving)),
      ...(await checkSchedules(pool, planning)),
      ...(await checkExports(pool, exporting, receivers.taken(0))),
      ...(await checkCounters(pool)),
      ...(await checkAudit(pool, cluster.primary)),
      ...(await checkPages(pool, cluster, cast)),
      ...writing.refused.slice(0, 3).map((one) => `a writer was refused: ${JSON.stringify(one)}`),
      ...exporting.refused.slice(0, 3).map((one) => `an export was refused: ${JSON.stringify(one)}`),
      ...planning.refused.slice(0, 3).map((one) => `a plan was refused: ${JSON.stringify(one)}`),
      ...moving.refused.slice(0, 3).map((one) => `the manager was refused: ${JSON.stringify(one)}`),
    ]
    return {
      seed,
      killed,
      ...(watching
        ? { lost: caller.failed(), streams: watching.watchers.length, resumed: watching.opened() }
        : {}),
      answered: writing.answered.size,
      unanswered: writing.unknown.size,
      edited: writing.edited.size,
      planned: planning.planned.size,
      exports: exporting.ordered(),
      moves: moving.changes(),
      webhooks: cast.bots.reduce((total, bot) => total + receivers.taken(bot).length, 0),
      receiver_faults: receivers.faults(),
      seconds: Math.round((performance.now() - began) / 1000),
      faults,
    }
  } finally {
    balancer?.close()
    receivers.close()
    await cluster.close()
  }
}
