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
import { world } from '@parley/server/testing/world'
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

/** Laws that hold for every operation and that `contract.test.ts` of the server tries on all of them. */
const WALKED = ['token', 'scope', 'role', 'session', 'unknown', 'json', 'missing']

/** A usual run takes a part: every third law by hand, those about every operation for some, and every sixth way to break them. */
const isWhole = process.env.PARLEY_TEXTS === 'all'

function isTried({ id, level }: Law): boolean {
  const [operation = '', kind] = id.split('/')
  if (!kind) return Number(id.slice(-3)) % 3 === 1
  return (level === 'agreed' && !WALKED.includes(kind)) || operation.length % 8 === 0
}

test('Parley keeps the laws, and a run leaves nothing behind', async () => {
  const run = await open(sandbox.base_url)
  const outcomes = await run.try(isWhole ? LAWS : LAWS.filter(isTried))
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

test('the command tries a plain server by its tokens, writes reports, and a known failure that passes is unexpected', async (t) => {
  const { url, owner, alice } = await world(t, { working: true })
  const folder = await mkdtemp(join(tmpdir(), 'parley-conformance-'))
  t.after(() => rm(folder, { recursive: true }))
  const baseline = join(folder, 'known.json')
  const command = fileURLToPath(new URL('../bin/conformance.mjs', import.meta.url))
  const call = (...more: string[]) =>
    new Promise<{ code: number; output: string }>((resolve) => {
      const tokens = ['--token', `owner=${owner.token}`, '--token', `member=${alice.token}`]
      const given = ['--url', `${url}/v1`, ...tokens, '--only', 'PIN-', ...more]
      execFile(process.execPath, [command, ...given], (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
      )
    })
  // One needs a second person, one webhooks, one the clock of a sandbox.
  const others = ['DRAFT-004', 'HOOK-001', 'DRAFT-009'].flatMap((id) => ['--only', id])
  const first = await call('--report', folder, '--baseline', baseline, '--update-baseline', ...others)
  assert.deepEqual([first.code, JSON.parse(await readFile(baseline, 'utf8'))], [0, { failures: {} }])
  assert.match(first.output, /4 passed/)
  const junit = await readFile(join(folder, 'junit.xml'), 'utf8')
  assert.match(junit, /tests="5" failures="0"/)
  assert.match(junit, /DRAFT-009[^<]*<skipped[^<]*a sandbox/)
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
  const all = [...SHAPES, ...LISTS, ...WRITES, ...PROGRAMS]
  const breakages = isWhole ? all : all.filter((_, index) => index % 6 === 0)
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
