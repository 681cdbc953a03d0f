import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { messagePinned } from '@parley/contract'
import { type World, world } from '../../testing/world.js'
import { fixedPrimary } from '../db/primary.js'
import { transaction } from '../db/transaction.js'
import { type Bell, openBell } from './bell.js'
import { emit } from './emit.js'
import { startRelay } from './relay.js'

/** A process of its own as far as relays go, and the numbers of the events that it relayed. */
async function openProcess(t: TestContext, { ctx }: World, relayed: [string, number][]) {
  const url = fixedPrimary(ctx.config.database_url as string)
  const bell = await openBell(url, ctx.pool, assert.ifError)
  const own = { ...ctx, bell }
  const reader = async (_tx: unknown, events: readonly { type: string; payload: object }[]) => {
    for (const { type, payload } of events)
      if (type === 'message.pinned') relayed.push([bell.name, (payload as { message_id: number }).message_id])
  }
  const relay = startRelay(own, [reader], assert.ifError)
  t.after(async () => {
    await relay.stop(1000)
    await bell.close()
  })
  const commit = (n: number) =>
    transaction(own, (tx) => emit(tx, own, { user_id: 1 }, messagePinned, { chat_id: 1, message_id: n }))
  return { bell, relay, commit }
}

const byName = (a: { bell: Bell }, b: { bell: Bell }) => (a.bell.name < b.bell.name ? -1 : 1)

async function until(isTrue: () => boolean) {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('of processes that relay one goes on for all, and when it stops another one does', async (t) => {
  const w = await world(t)
  const relayed: [string, number][] = []
  const made = [await openProcess(t, w, relayed), await openProcess(t, w, relayed)]
  const [first, second] = made.sort(byName) as [(typeof made)[0], (typeof made)[0]]
  for (const { relay } of made) relay.start()

  // On a busy machine it may be late, and the second relays what it committed itself.
  const commits: (typeof made)[0][] = []
  const relayedFor = () =>
    relayed.filter(([name, n]) => name === first.bell.name && commits[n - 1] === second)
  while (relayedFor().length < 5 && commits.length < 400) {
    const one = commits.length % 2 === 0 ? first : second
    await one.commit(commits.push(one))
    await until(() => relayed.length === commits.length)
  }
  assert.equal(relayedFor().length, 5, `in ${commits.length} turns`)

  await first.relay.stop(1000)
  await second.commit(commits.push(second))
  await until(() => relayed.length === commits.length)
  assert.equal(relayed.at(-1)?.[0], second.bell.name)
  assert.deepEqual(
    relayed.map(([, n]) => n),
    commits.map((_, index) => index + 1),
  )
})
