import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import pg from 'pg'
import type { World } from './world.js'

interface PlanNode {
  'Relation Name'?: string
  'Plan Rows': number
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

function rowsOf(node: PlanNode): number {
  const below = (node.Plans ?? []).reduce((sum, plan) => sum + rowsOf(plan), 0)
  if (!node['Relation Name']) return below
  return below + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return literal(`{${value.map((one) => JSON.stringify(String(one))).join(',')}}`)
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value))
}

/** How many rows of tables the statement reads with the plan that serves all values. */
async function countRows(client: pg.PoolClient, text: string, values: readonly unknown[]): Promise<number> {
  const given = values.length > 0 ? `(${values.map(literal).join(', ')})` : ''
  await client.query(`prepare counted as ${text}`)
  const { rows } = await client.query(`explain (analyze, timing off, format json) execute counted${given}`)
  await client.query('deallocate counted')
  return rowsOf(rows[0]['QUERY PLAN'][0].Plan)
}

/** The statements that read, while this work goes on, without those of admission. */
async function watch(t: TestContext, work: () => Promise<unknown>) {
  const asked: [string, readonly unknown[]][] = []
  const { query } = pg.Client.prototype
  const spy = t.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...args: unknown[]) {
    const { text, values = [] } = args[0] as { text?: string; values?: unknown[] }
    if (text && /^\s*(select|with)/.test(text) && !text.includes('epoch')) asked.push([text, values])
    return (query as (...args: unknown[]) => unknown).apply(this, args)
  })
  await work()
  spy.mock.restore()
  assert.ok(asked.length > 0, 'this work reads something')
  return asked
}

/** Most rows of tables that a statement of this work reads, with plans that serve all values; searches never read a table whole. */
export async function rowsReadBy(
  t: TestContext,
  ctx: World['ctx'],
  work: () => Promise<unknown>,
  { searches = false } = {},
): Promise<number> {
  const asked = await watch(t, work)
  const client = await ctx.pool.connect()
  try {
    await client.query(`begin; set local plan_cache_mode = force_generic_plan; set local jit = off`)
    if (searches) await client.query('set local enable_seqscan = off')
    const counts = []
    for (const [text, values] of asked) counts.push(await countRows(client, text, values))
    return Math.max(...counts)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

/** Most rows that the planner expects of a statement of this work. */
export async function rowsExpectedBy(
  t: TestContext,
  ctx: World['ctx'],
  work: () => Promise<unknown>,
): Promise<number> {
  const expected = []
  for (const [text, values] of await watch(t, work)) {
    const { rows } = await ctx.pool.query(`explain (format json) ${text}`, [...values])
    expected.push((rows[0]['QUERY PLAN'][0].Plan as PlanNode)['Plan Rows'])
  }
  return Math.max(...expected)
}
