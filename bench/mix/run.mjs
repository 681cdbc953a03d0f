// The mix: people of every role, bots and a directory do everything at once; once they pause, everything must agree.
import { randomFrom } from '../stage/words.mjs'
import { checkAudit } from '../torture/checks.mjs'
import { openReceivers } from '../torture/receivers.mjs'
import { checkAnswers } from './answers.mjs'
import { createCalls } from './call.mjs'
import { openCast } from './cast.mjs'
import { chooseDeed } from './deeds/index.mjs'
import { furnish } from './furnish.mjs'
import { checkHearing, listen } from './hearing.mjs'
import { createKnown } from './known.mjs'
import { checkLaws } from './laws.mjs'
import { openMirror } from './mirror.mjs'
import { openSandbox } from './sandbox.mjs'
import { openTabs } from './tabs.mjs'

const STORM_MS = 6_000
/** Then what waits for a minute is due: second attempts, and counts that are made again. */
const PAUSE_S = 70
/** Longer than messages are kept in some chats. */
const DAY_S = 90_000
/** Events are kept for a week, and what was heard is compared with them. */
const DAYS = 6
const AT_ONCE = 32
/** With tabs, which draw what happens on the same machine. */
const AT_ONCE_WITH_TABS = 4

async function storm(stage, actors, atOnce) {
  await stage.cast.control('/clock', { freeze: false })
  const until = performance.now() + STORM_MS
  const work = async () => {
    while (performance.now() < until) await chooseDeed(stage.known.random)(stage, stage.known.one(actors))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/** Nobody does anything until nothing is left to do; those who act are let back in. */
async function pause({ call, cast, clock }, advance_s) {
  const [owner, ...others] = cast.people
  for (const { id } of others) await call(owner, 'PUT', `/users/${id}`, { user: { suspended: false } })
  await cast.control('/clock', { advance_s })
  // Nothing falls due while what was done is looked at.
  clock.now = (await cast.control('/clock', { freeze: true })).now
  await cast.control('/settle')
}

async function compareMirrors(mirrors) {
  const found = []
  for (const mirror of mirrors) found.push(...((await mirror?.compare()) ?? []))
  return found.slice(0, 60)
}

/** `faults` is empty when everything held. */
export async function mix({ seed, seconds, tabs: withTabs = false, say = () => {} }) {
  const began = performance.now()
  const known = createKnown(randomFrom(seed))
  const receiver = await openReceivers(randomFrom(seed + 1), { faults: 1 })
  const sandbox = await openSandbox()
  const { pool } = sandbox
  const calls = createCalls(sandbox.base_url)
  const faults = []
  let rounds = 0
  let days = 0
  let tabs
  try {
    const cast = await openCast(sandbox, { calls, known, receiver })
    const [owner, admin] = cast.people
    const stage = {
      call: calls.call,
      known,
      cast,
      bots: cast.bots,
      base_url: sandbox.base_url,
      pool,
      clock: { now: new Date() },
    }
    stage.scim = await furnish(stage, sandbox)
    if (withTabs) tabs = await openTabs(stage, [owner, cast.people[2], cast.people.at(-1)])
    const streams = await Promise.all(cast.people.map(({ session }) => listen(sandbox.base_url, session)))
    const actors = [owner, owner, owner, admin, admin, ...cast.people, ...cast.people, ...cast.bots]
    for (; performance.now() - began < seconds * 1000; rounds += 1) {
      const mirrors = []
      for (const one of cast.people) mirrors.push(await openMirror(stage, one))
      await tabs?.open()
      await storm(stage, actors, withTabs ? AT_ONCE_WITH_TABS : AT_ONCE)
      // Nobody is told of what retention removes.
      const isLong = known.chance(0.3) && days < DAYS
      days += Number(isLong)
      await pause(stage, isLong ? DAY_S : PAUSE_S)
      const found = [
        ...(await checkLaws(pool, stage.clock.now)),
        ...(await checkAnswers(stage, cast.people)),
        ...(await compareMirrors(isLong ? [] : mirrors)),
        ...((isLong ? undefined : await tabs?.compare()) ?? []),
        ...(await checkHearing(pool, { receiver, bots: cast.bots, owner, streams })),
        ...calls.faults.splice(0),
      ]
      await tabs?.closeAll()
      say(`round ${rounds + 1}: ${calls.answered()} calls went well, ${found.length} faults`)
      for (const fault of found) say(`  ${fault}`)
      faults.push(...found)
    }
    for (const stream of streams) await stream.stop()
    const deadlocks = (await sandbox.deadlocks()).map((text) => `two waited for each other: ${text}`)
    faults.push(...deadlocks, ...(await checkAudit(pool, sandbox.database_url)))
    return {
      seed,
      rounds,
      answers: Object.fromEntries([...calls.statuses].sort()),
      only_refused: calls.neverWell(),
      seconds: Math.round((performance.now() - began) / 1000),
      faults,
    }
  } finally {
    await tabs?.close()
    await sandbox.close()
    receiver.close()
  }
}
