import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { messagePinned } from '@parley/contract'
import { programFile } from '../../testing/program.js'
import { retireShared } from '../../testing/stage.js'
import { world } from '../../testing/world.js'
import type { Tx } from '../db/index.js'
import { transaction } from '../db/transaction.js'
import { emit } from './emit.js'
import { startRelay } from './relay.js'
import { countAttempt } from './suspect-queries.js'

/** The message at which the reader of that process is stuck. */
const STUCK_AT = 1
const STUCK = programFile(
  'stuck-relay',
  fileURLToPath(new URL('../../testing/stuck-relay.js', import.meta.url)),
)

test('a process that is stuck while relaying is ended, and no restart falls for the same event again', async (t) => {
  const { ctx } = await world(t)
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: ctx.config.database_url ?? '',
    PARLEY_DATA_DIR: ctx.config.data_dir,
    PARLEY_POOL_SIZE: '3',
  }
  const tell = (tx: Tx, message_id: number) =>
    emit(tx, ctx, { user_id: 1 }, messagePinned, { chat_id: 1, message_id })
  const suspects = () => ctx.db.selectFrom('relay_suspects').select('attempts').orderBy('event_id').execute()

  retireShared()
  // Told while the relay runs, so that both events are in hand together.
  const first = fork(STUCK, { env, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  t.after(() => first.kill('SIGKILL'))
  await once(first, 'message')
  const ended = once(first, 'exit')
  await transaction(ctx, async (tx) => {
    for (const message_id of [STUCK_AT, 2]) await tell(tx, message_id)
  })
  assert.deepEqual(await ended, [null, 'SIGKILL'])
  assert.deepEqual(await suspects(), [{ attempts: 0 }, { attempts: 0 }])

  for (const attempts of [1, 2]) {
    const again = fork(STUCK, { env, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    t.after(() => again.kill('SIGKILL'))
    assert.deepEqual(await once(again, 'exit'), [null, 'SIGKILL'])
    assert.deepEqual(await suspects(), [{ attempts }, { attempts: 0 }])
  }

  await transaction(ctx, (tx) => tell(tx, 3))
  const seen: unknown[] = []
  const relay = startRelay(
    ctx,
    [
      async (_tx, events) => {
        for (const { payload } of events) if ('message_id' in payload) seen.push(payload.message_id)
      },
    ],
    assert.ifError,
  )
  // The database may take a moment to see that the process is gone, and hold its lock until then.
  while (seen.length < 2) await relay.drain()
  assert.deepEqual(seen, [2, 3])
  const aside = await ctx.db.selectFrom('set_aside_events').select(['payload', 'reason']).execute()
  const payload = { chat_id: 1, message_id: STUCK_AT }
  assert.deepEqual(aside, [{ payload, reason: 'the process was stuck' }])
})

test('an event is not blamed because processes were killed from outside while it was tried', async (t) => {
  const { ctx } = await world(t)
  await transaction(ctx, (tx) => emit(tx, ctx, { user_id: 1 }, messagePinned, { chat_id: 1, message_id: 1 }))
  const { id } = await ctx.db.selectFrom('events').select('id').executeTakeFirstOrThrow()
  // As two processes leave it that end between counting an attempt and its commit.
  for (let kills = 0; kills < 2; kills += 1) await countAttempt(ctx.autocommit, id)
  const seen: number[] = []
  const relay = startRelay(
    ctx,
    [async (_tx, events) => void seen.push(...events.map((event) => event.id))],
    assert.ifError,
  )
  await relay.drain()
  assert.deepEqual(seen, [id])
})
