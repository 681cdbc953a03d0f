// Records of messages are hashed as the server makes them, and verified as the database does: both have to say the same.
import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { OF_MESSAGES, recordsOf, timeText } from '../platform/audit/block-sql.js'
import type { StageContext } from '../testing/stage.js'
import { world } from '../testing/world.js'
import { type ChainRow, findChain, listSealed } from './chain-queries.js'
import { sealOnce } from './seal.js'
import { verifyAudit } from './verify.js'

const TIMES = [
  '2026-11-19 10:00:00.000499+00',
  '2026-11-19 10:00:00.0005+00',
  '2026-11-19 10:00:00.001500+00',
  '2026-11-19 10:00:09.999499+00',
  '2026-11-19 10:00:09.9995+00',
  '2026-11-19 10:00:09.999999+00',
  '2026-11-19 10:00:10+00',
  '2026-11-19 13:00:10.1+03',
  '1969-12-31 23:59:59.9995+00',
  '1969-12-31 23:59:59.123457+00',
  '1970-01-01 00:00:00+00',
  '0044-03-15 12:00:00.000001+00 BC',
  '12026-01-01 00:00:00.654321+00',
]
const ADDRESSES = [null, '', '127.0.0.1', '::1', 'fe80::1%eth0', '2001:db8::ffff:10.0.0.1']
const AGENTS = [
  null,
  '',
  'NULL',
  'null',
  ' ',
  '{a,b}',
  'a "quoted" \\ backslash \\" both, \'single\'',
  'tab\tline\nreturn\rbell\u0007delete\u007f',
  'Ünïcödé 漢字 👩‍🚀 \u2028\ufeff\ufffd</script>',
  '漢'.repeat(6000),
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
]

/** Numbers that look random, and are the same in every run. */
function drawn(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Rows as several processes write them at once: sequences go to rows in turns, and lie in a row in any order. */
async function fill(ctx: StageContext, draw: (below: number) => number) {
  const of = <T>(list: readonly T[]) => list[draw(list.length)] as T
  const rows = Array.from({ length: 60 }, () => [] as number[])
  const numbers = (
    await sql<{ n: number }>`
    select nextval('audit_events_sequence_seq') as n from generate_series(1, 600)`.execute(ctx.autocommit)
  ).rows
  for (const { n } of numbers) of(rows).splice(draw(2) ? 0 : 99, 0, n)
  for (const sequences of rows.filter(({ length }) => length > 0)) {
    const column = <T>(value: () => T) => sequences.map(value)
    const id = () => of([1 + draw(99), draw(2 ** 31) * 1_000_003, Number.MAX_SAFE_INTEGER - draw(2 ** 20)])
    await sql`
      insert into audit_waiting (created_at, sequences, message_ids, actor_ids, ip_addresses, user_agents)
      values (${of(TIMES)}, ${sequences}, ${column(id)}, ${column(id)}, ${column(() => of(ADDRESSES))},
        ${column(() => of(AGENTS))})`.execute(ctx.autocommit)
  }
  return numbers.length
}

/** What waits as the database says it, in the order of the chain. */
async function expectedRows(ctx: StageContext) {
  const { rows } = await sql<ChainRow>`
    select audit_message_uuid(e.created_at, e.message_id) as id, e.sequence, ${timeText(sql`e.created_at`)} as created_at_text,
      ${OF_MESSAGES.event_key}::text as event_key, e.actor_id, ${OF_MESSAGES.entity_type}::text as entity_type,
      e.message_id::text as entity_id, '{}' as details_text, e.ip_address, e.user_agent
    from audit_waiting b, ${recordsOf('audit_waiting')} order by audit_bucket(e.created_at), e.sequence`.execute(
    ctx.autocommit,
  )
  return rows
}

/** The end of a chain by the definitions of hash and seal. */
function endOf(
  rows: readonly ChainRow[],
  key: Buffer,
  start = { position: 0, hash: Buffer.alloc(0), seal: Buffer.alloc(0) },
) {
  return rows.reduce(({ position, hash: before, seal }, row) => {
    const said = [position + 1, row.id, row.sequence, row.created_at_text, row.event_key, row.actor_id]
    said.push(
      row.entity_type,
      row.entity_id,
      row.details_text,
      row.ip_address as string,
      row.user_agent as string,
    )
    const hash = createHash('sha256').update(before).update(JSON.stringify(said)).digest()
    return {
      position: position + 1,
      hash,
      seal: createHmac('sha256', key).update(seal).update(hash).digest(),
    }
  }, start)
}

test('odd times, ids, addresses and agents of messages are sealed as the database says them', async (t) => {
  const { ctx } = await world(t)
  const key = ctx.audit_key
  const draw = drawn(7)
  let end: ReturnType<typeof endOf> | undefined
  for (const round of [1, 2]) {
    const count = await fill(ctx, draw)
    const expected = await expectedRows(ctx)
    assert.equal(await sealOnce(ctx), count)
    const sealed = await listSealed(ctx.db, (round - 1) * count)
    const said = sealed.map(({ position: _, previous_hash, hash, in_block, ...row }) => row)
    assert.deepEqual(said, expected)
    end = endOf(expected, key, end)
    const { head_position, head_hash, head_seal } = await findChain(ctx.db)
    assert.deepEqual({ position: head_position, hash: head_hash, seal: head_seal }, end)
  }
  const verdict = await verifyAudit(ctx.db, { key })
  assert.deepEqual([verdict.whole, verdict.checked], [true, 1200])
  const { rows } = await sql`
    select position from audit_blocks, lateral (select min(id), max(id) from unnest(message_ids) id) ids
    where (first_message_id, last_message_id) <> (ids.min, ids.max)
      or bucket <> any(select audit_bucket(time) from unnest(created_times) time)`.execute(ctx.autocommit)
  assert.deepEqual(rows, [])
})
