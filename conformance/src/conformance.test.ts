import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { listBots, listChats, listGroupTags, listTasks } from '@parley/contract'
import { createClient } from '@parley/sdk/contract'
import { startSandbox } from '@parley/server/sandbox'
import type { Law } from './law.js'
import { LAWS } from './laws.js'
import { type OpenRun, type Outcome, openRun } from './run.js'
import type { Breakage } from './testing/break.js'
import { LISTS } from './testing/break-lists.js'
import { PROGRAMS } from './testing/break-programs.js'
import { SHAPES } from './testing/break-shapes.js'
import { WRITES } from './testing/break-writes.js'
import { type BreakingProxy, startProxy } from './testing/proxy.js'

/** Of the broken laws, how many have to be noticed. */
const NOTICED_AT_LEAST = 0.95

let sandbox: Awaited<ReturnType<typeof startSandbox>>

before(async () => {
  sandbox = await startSandbox({ port: 0, env: { PARLEY_LOG_LEVEL: 'silent' } })
})
after(() => sandbox?.stop())

const open = (base_url: string, patience_ms?: number) =>
  openRun({
    base_url,
    patience_ms,
    token: sandbox.owner_token,
    level: 'additions',
    receiver: { host: '127.0.0.1', port: 0 },
  })

const tell = ({ law, message }: Outcome) => `${law.id}: ${message}`

/** Of the laws that hold for every operation, those of the agreed ones and of some additions: `contract.test.ts` walks all of them. */
function isTried({ id, level }: Law): boolean {
  const [operation = '', kind] = id.split('/')
  return !kind || level === 'agreed' || operation.length % 4 === 0
}

test('Parley keeps the laws, and a run leaves nothing behind', async () => {
  const run = await open(sandbox.base_url)
  const outcomes = await run.try(LAWS.filter(isTried))
  const leftovers = await run.close()
  assert.deepEqual(outcomes.filter(({ state }) => state === 'failed').map(tell), [])
  const untried = outcomes.filter(({ law, state }) => state === 'not tested' && !law.id.endsWith('/answer'))
  assert.deepEqual(untried.map(tell), [])
  assert.deepEqual(leftovers, [])
  const owner = createClient({ base_url: sandbox.base_url, token: sandbox.owner_token })
  const [bots, tags, tasks, chats] = [
    await owner.call(listBots),
    await owner.call(listGroupTags),
    await owner.call(listTasks),
    await owner.call(listChats, { query: { personal: false } }),
  ]
  assert.deepEqual(
    [bots, tags, tasks, chats].map(({ data }) => data.length),
    [0, 0, 0, 0],
  )
})

test('the command writes reports, and a known failure that passes is unexpected', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-conformance-'))
  t.after(() => rm(folder, { recursive: true }))
  const baseline = join(folder, 'known.json')
  const command = fileURLToPath(new URL('../bin/conformance.mjs', import.meta.url))
  const call = (...more: string[]) =>
    new Promise<{ code: number; output: string }>((resolve) => {
      const given = ['--url', sandbox.base_url, '--token', sandbox.owner_token, '--only', 'PIN-', ...more]
      execFile(process.execPath, [command, ...given], (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
      )
    })
  const first = await call('--report', folder, '--baseline', baseline, '--update-baseline')
  assert.deepEqual([first.code, JSON.parse(await readFile(baseline, 'utf8'))], [0, { failures: {} }])
  assert.match(first.output, /2 passed/)
  assert.match(await readFile(join(folder, 'junit.xml'), 'utf8'), /tests="2" failures="0"/)
  assert.match(await readFile(join(folder, 'report.html'), 'utf8'), /PIN-001/)
  await writeFile(baseline, '{ "failures": { "PIN-001": "was broken" } }')
  const second = await call('--baseline', baseline)
  assert.equal(second.code, 1, second.output)
  assert.match(second.output, /PIN-001 passes now/)
  const wrong = await call('--token', 'owner=not-a-token')
  assert.equal(wrong.code, 2, wrong.output)
})

const byId = new Map(LAWS.map((law) => [law.id, law]))

/** What the laws say of a server that is broken so. */
async function faultsOf(run: OpenRun, proxy: BreakingProxy, { laws, mutation }: Breakage): Promise<string[]> {
  const tried = laws.map((id) => {
    const law = byId.get(id)
    assert.ok(law, `${id} is no law`)
    return law
  })
  proxy.mutation = mutation()
  try {
    const outcomes = await run.try(tried)
    return outcomes.filter(({ state }) => state === 'failed').map(tell)
  } finally {
    proxy.mutation = {}
  }
}

/** What the proxy does is noticed only where it breaks something. */
const UNBROKEN = [
  'MSG-001',
  'HOOK-002',
  'HOOK-004',
  'FILE-002',
  'KEY-001',
  'LIMIT-001',
  'createMessage/answer',
]

test('a server that breaks one law at a time is found out', async (t) => {
  const proxy = await startProxy(sandbox.base_url)
  t.after(() => proxy.close())
  const whole = await open(proxy.base_url)
  const faults = await faultsOf(whole, proxy, { name: 'nothing', laws: UNBROKEN, mutation: () => ({}) })
  assert.deepEqual(faults, [])
  await whole.close()
  // What a broken server does not do need not be waited for.
  const run = await open(proxy.base_url, 1000)
  const breakages = [...SHAPES, ...LISTS, ...WRITES, ...PROGRAMS]
  const missed: string[] = []
  for (const breakage of breakages) {
    if ((await faultsOf(run, proxy, breakage)).length === 0) missed.push(breakage.name)
  }
  await run.close()
  const noticed = breakages.length - missed.length
  const share = noticed / breakages.length
  const figure = `${noticed} of ${breakages.length} broken laws (${(share * 100).toFixed(1)} %)`
  const rest = missed.length > 0 ? `, but not: ${missed.join('; ')}` : ''
  console.log(`conformance notices ${figure}${rest}`)
  assert.ok(share >= NOTICED_AT_LEAST, figure)
})
