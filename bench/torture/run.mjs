// Torture: load, faults and kills, then quiet, then the questions.
import { randomFrom } from '../stage/words.mjs'
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
  checkWrites,
} from './checks.mjs'
import { OWNER_TOKEN, openCluster } from './cluster.mjs'
import { startExporting } from './exports.mjs'
import { failOver } from './failover.mjs'
import { kill } from './kills.mjs'
import { startMoving } from './members.mjs'
import { openReceivers } from './receivers.mjs'
import { startPlanning } from './schedules.mjs'
import { settle } from './settle.mjs'
import { startWriting } from './writers.mjs'

/** Runs until so many kills are done, or the time is over. `faults` is empty when everything held. */
export async function torture({
  kills,
  seed,
  minutes = 30,
  faults_each = 2,
  failover = false,
  say = () => {},
}) {
  const began = performance.now()
  // Each actor draws from a source of its own, so that one's pace does not change another's choices.
  const source = (n) => randomFrom(seed * 1000 + n)
  const receivers = await openReceivers(source(1), { faults: faults_each })
  const cluster = await openCluster({ say, failover })
  try {
    const { pool } = cluster
    const cast = await gather(pool, receivers)
    const caller = createCaller(cluster, source(2))
    const writing = startWriting({ caller, random: source(3), cast })
    const planning = startPlanning({ caller, random: source(6), cast })
    const exporting = startExporting({ caller, token: OWNER_TOKEN, webhook_url: receivers.urlOf(0) })
    const moving = startMoving({ caller, random: source(4), cast })
    const until = began + minutes * 60_000
    const killed = await (failover ? failOver : kill)({ cluster, random: source(5), kills, until, say })
    await cluster.whole()
    await Promise.all([writing.stop(), moving.stop(), planning.stop(), exporting.stop()])
    receivers.behave()
    await settle(pool, { at_most_ms: 300_000, say })
    const faults = [
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
    receivers.close()
    await cluster.close()
  }
}
