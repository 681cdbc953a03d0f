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

const element = (one: unknown) => (one === null || one === undefined ? 'null' : JSON.stringify(String(one)))

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return literal(`{${value.map(element).join(',')}}`)
  if (Buffer.isBuffer(value)) return literal(`\\x${value.toString('hex')}`)
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value))
}

/** How many rows of tables the statement reads. */
async function countRows(client: pg.PoolClient, text: string, values: readonly unknown[]): Promise<number> {
  const given = values.length > 0 ? `(${values.map(literal).join(', ')})` : ''
  await client.query(`prepare counted as ${text}`)
  const { rows } = await client.query(`explain (analyze, timing off, format json) execute counted${given}`)
  await client.query('deallocate counted')
  return rowsOf(rows[0]['QUERY PLAN'][0].Plan)
}

interface Asked {
  text: string
  values: readonly unknown[]
  /** Of the hot paths, whose connections have settings of their own. */
  hot: boolean
}

/** The statements that look for rows, while this work goes on, without those of admission. */
async function watch(t: TestContext, ctx: World['ctx'], work: () => Promise<unknown>): Promise<Asked[]> {
  const asked: Asked[] = []
  const hot = new Set<unknown>()
  const note = (client: unknown) => hot.add(client)
  ctx.hot_pool.on('acquire', note)
  const { query } = pg.Client.prototype
  const spy = t.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...args: unknown[]) {
    const { text, values = [] } = args[0] as { text?: string; values?: unknown[] }
    if (text && /^[\s(]*(select|with|update|delete)/.test(text) && !text.includes('admission_epoch'))
      asked.push({ text, values, hot: hot.has(this) })
    return (query as (...args: unknown[]) => unknown).apply(this, args)
  })
  await work()
  spy.mock.restore()
  ctx.hot_pool.off('acquire', note)
  assert.ok(asked.length > 0, 'this work reads something')
  return asked
}

interface Planned {
  /** No table is read whole: whether a small one is depends on how full its pages are, and so on the tests before. */
  indexed?: boolean
  /** One that serves all values, or one made for the values at hand. */
  plans?: 'generic' | 'custom'
}

/** Most rows of tables that a statement of this work reads. */
export async function rowsReadBy(
  t: TestContext,
  ctx: World['ctx'],
  work: () => Promise<unknown>,
  { indexed = false, plans = 'generic' }: Planned = {},
): Promise<number> {
  const counts = []
  for (const { text, values, hot } of await watch(t, ctx, work)) {
    const client = await (hot ? ctx.hot_pool : ctx.pool).connect()
    try {
      await client.query('begin; set local jit = off')
      if (!hot) await client.query(`set local plan_cache_mode = force_${plans}_plan`)
      if (indexed) await client.query('set local enable_seqscan = off')
      counts.push(await countRows(client, text, values))
    } finally {
      await client.query('rollback')
      client.release()
    }
  }
  return Math.max(...counts)
}

/** Most rows that the planner expects of a statement of this work. */
export async function rowsExpectedBy(
  t: TestContext,
  ctx: World['ctx'],
  work: () => Promise<unknown>,
): Promise<number> {
  const expected = []
  for (const { text, values } of await watch(t, ctx, work)) {
    const { rows } = await ctx.pool.query(`explain (format json) ${text}`, [...values])
    expected.push((rows[0]['QUERY PLAN'][0].Plan as PlanNode)['Plan Rows'])
  }
  return Math.max(...expected)
}
