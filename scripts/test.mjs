// Runs tests: all, or those of the areas and files that are named. `npm run check` runs in parallel with a run of all.
// One PostgreSQL serves the whole run. A few processes take one test file after the other, because importing the
// server costs more than most files; within a process the files share a server (server/src/testing/stage.ts).
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startTestCluster } from '../server/dist/testing/cluster.js'
import { browserEnv, findBrowser, HOW_TO_GET_ONE } from '../web/testing/find-browser.mjs'
import { bundlePrograms } from './bundle-programs.mjs'
import { NODE_FLAGS } from './node-flags.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** One more than there are cores: some tests wait. */
const SLOTS = availableParallelism() + 1
/** Ten times the default of V8: most code of a test runs too seldom to pay for being optimized. A sixth less CPU time. */
const OPTIMIZE_LATE = '--interrupt-budget=1320000'
/** A test process grows to this size anyway; on the way there it would collect its whole heap four times. */
const START_LARGE = '--initial-old-space-size=512'
/** A process for fewer files costs more than it saves. */
const FILES_AT_LEAST = 3
/** A file that says nothing for this long hangs; longer where more processes wait for a core than there are. */
const SILENCE_MS = 240_000
const silenceMs = () => SILENCE_MS * Math.max(1, loadavg()[0] / availableParallelism())
/** A timer that nobody ended runs out within this time, and is named; what goes on for longer fails the run. */
const ENDING_MS = 150_000
/** The longest by measured time, begun first so that the run does not wait for one of them at its end. */
const LONGEST = [
  'web/src/testing/looks.test.ts',
  'cli/src/cli.test.ts',
  'web/src/testing/admin.test.ts',
  'server/src/torture.test.ts',
  'web/src/testing/tabs.test.ts',
  'server/src/hostile-text.test.ts',
  'postgres/src/backup.test.ts',
  'web/src/testing/lines.test.ts',
  'server/src/drafts/processes.test.ts',
  'conformance/src/conformance.test.ts',
  'postgres/src/embedded.test.ts',
  'web/src/testing/bots.test.ts',
  'web/src/testing/places.test.ts',
  'server/src/imports/kills.test.ts',
  'web/src/testing/recovery.test.ts',
  'web/src/testing/keyboard.test.ts',
  'server/src/contract.test.ts',
  'server/src/members/races.test.ts',
  'server/src/imports/portable.test.ts',
  'server/src/accounts/cookie-sessions.test.ts',
  'server/src/members/big.test.ts',
  'web/src/testing/access.test.ts',
  'server/src/sandbox/tour.test.ts',
  'server/src/imports/people.test.ts',
  'server/src/platform/http/admit.test.ts',
  'server/src/sandbox/sandbox.test.ts',
  'server/src/sandbox/examples.test.ts',
  'postgres/src/crash.test.ts',
  'web/src/testing/media.test.ts',
  'server/src/webhooks/inbound/inbound.test.ts',
  'cli/src/processes.test.ts',
  'server/src/imports/orders.test.ts',
  'cli/src/pack.test.ts',
  'server/src/previews/previews.test.ts',
  'server/src/pooler.test.ts',
  'server/src/imports/slack.test.ts',
  'web/src/testing/reference.test.ts',
  'server/src/search/message-faults.test.ts',
  'web/src/testing/account.test.ts',
  'server/src/platform/events/relay.test.ts',
  'server/src/forms/submit-polling.test.ts',
  'postgres/src/account.test.ts',
  'server/src/exports/exports.test.ts',
  'server/src/messages/list.test.ts',
  'server/src/lenient-walk.test.ts',
  'server/src/chats/list.test.ts',
]

/** By the sources: what was built from a file that is gone is no test any more. */
function listFiles() {
  // The workspaces of package.json, each with tests next to its sources.
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return workspaces
    .filter((workspace) => existsSync(join(root, workspace, 'src')))
    .flatMap((workspace) =>
      readdirSync(join(root, workspace, 'src'), { recursive: true })
        .filter((name) => name.endsWith('.test.ts'))
        .map((name) => join(workspace, 'src', name)),
    )
}

/** `web/dist` is the bundle that browsers load; what Node runs of it is in `web/compiled`. */
function builtFrom(source) {
  const output = source.startsWith('web/') ? '/compiled/' : '/dist/'
  return source.replace('/src/', output).replace(/ts$/, 'js')
}

/** `messages` is an area, `server/src/platform` a folder, `chats/list` a file; whole paths work too, as source or as built. */
function matches(source, wanted) {
  const path = relative(root, resolve(wanted))
  return [source, builtFrom(source), source.replace(/\.test\.ts$/, '')].some(
    (file) => `/${file}/`.includes(`/${wanted.replace(/\/$/, '')}/`) || `${file}/`.startsWith(`${path}/`),
  )
}

function choose(wanted) {
  const all = listFiles()
  if (wanted.length === 0) return all
  for (const one of wanted) {
    if (all.some((source) => matches(source, one))) continue
    console.error(`No test file is named by "${one}".`)
    process.exit(1)
  }
  return all.filter((source) => wanted.some((one) => matches(source, one)))
}

/** Long ones first: the longest by name, the others by the length of their sources. */
function inOrder(files) {
  const rank = (file) => {
    const place = LONGEST.indexOf(file)
    return place >= 0 ? -1_000_000 + place : -statSync(join(root, file)).size
  }
  return files.sort((a, b) => rank(a) - rank(b))
}

/** A run of all ends with this many files that took the most CPU time. */
const COSTLIEST = 15
const costs = []

const counts = { tests: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 }
const failures = []

function count(event) {
  counts.tests += 1
  if (event.skip) counts.skipped += 1
  else if (event.todo) counts.todo += 1
  else if (event.type === 'test:pass') counts.pass += 1
  else if (event.failureType === 'cancelledByParent') counts.cancelled += 1
  else counts.fail += 1
}

/** What each process had used up when its last file ended. */
const cpuBefore = new WeakMap()

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`

/** One file in one process; resolves with false where the process is gone. */
function runFile(child, file, everyTest) {
  const failed = []
  const passed = []
  const began = performance.now()
  let tests = 0
  let cpu_ms = 0
  let output = ''
  let timer

  const fail = (name, error) => failed.push({ name, error })
  const finish = () => {
    clearTimeout(timer)
    if (tests === 0 && failed.length === 0) {
      counts.fail += 1
      fail(file, 'the file holds no test')
    }
    const mark = failed.length > 0 ? '✖' : '✔'
    console.log(
      `${mark} ${file} (${tests} tests, ${seconds(performance.now() - began)}, CPU ${seconds(cpu_ms)})`,
    )
    costs.push({ file, cpu_ms })
    if (output) console.log(output.trimEnd())
    if (everyTest)
      for (const { name, duration_ms } of passed) console.log(`  ✔ ${name} (${seconds(duration_ms)})`)
    for (const { name, error } of failed) console.log(`  ✖ ${name}\n${error.replace(/^/gm, '      ')}`)
    // Said again at the end, because of a long output often only the end is kept.
    failures.push(
      ...failed.map(({ name, error }) => `${file}: ${name}\n${`${error}\n${output}`.slice(0, 2000)}`),
    )
  }

  return new Promise((resolve) => {
    const hear = (text) => {
      output += text
    }
    const leave = (alive) => {
      finish()
      child.stdout.off('data', hear)
      child.stderr.off('data', hear)
      child.off('message', onMessage).off('exit', onExit)
      resolve(alive)
    }
    const onExit = (code, signal) => {
      counts.fail += 1
      fail(file, `its process ended in the middle of the file (${signal ?? `exit code ${code}`})`)
      leave(false)
    }
    const expectMore = () => {
      clearTimeout(timer)
      timer = setTimeout(() => child.kill('SIGKILL'), silenceMs())
    }
    const onMessage = (event) => {
      expectMore()
      if (event.type !== 'test:pass' && event.type !== 'test:fail') return
      if (event.nesting === 0) {
        cpu_ms = event.cpu_ms - (cpuBefore.get(child) ?? 0)
        cpuBefore.set(child, event.cpu_ms)
        if (event.type === 'test:fail' && event.failureType !== 'subtestsFailed') {
          counts.fail += 1
          fail(file, event.error)
        }
        return leave(true)
      }
      if (!event.suite) {
        tests += 1
        count(event)
        if (event.type === 'test:pass') passed.push(event)
      }
      if (event.type === 'test:fail' && event.failureType !== 'subtestsFailed') fail(event.name, event.error)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('message', onMessage).on('exit', onExit)
    expectMore()
    child.send({ name: file, path: join(root, builtFrom(file)) })
  })
}

/** Tests that drive a browser. */
function needsBrowser(file) {
  return (
    file.startsWith('web/') &&
    /from '\.{1,2}\/(?:testing\/)?browser\.js'/.test(readFileSync(join(root, file), 'utf8'))
  )
}

/** Looked for once, and passed to every process. */
async function browserFor(files) {
  if (!files.some(needsBrowser)) return {}
  try {
    return browserEnv(await findBrowser())
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}

/** For the many child processes of a run of all; a few start sooner than their bundle is made. */
async function programsFor(wanted) {
  return wanted.length === 0 ? { TEST_PROGRAMS: await bundlePrograms() } : {}
}

async function startProcess(cluster) {
  const child = fork(join(root, 'scripts/test-files.mjs'), {
    execArgv: [
      ...NODE_FLAGS,
      OPTIMIZE_LATE,
      START_LARGE,
      '--enable-source-maps',
      `--test-reporter=${join(root, 'scripts/test-reporter.mjs')}`,
    ],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ...browser, ...programs, TEST_CLUSTER_URL: cluster.url },
  })
  child.stdout.setEncoding('utf8')
  child.stderr.setEncoding('utf8')
  let said = ''
  const hear = (text) => {
    said += text
  }
  child.stderr.on('data', hear)
  const fail = () => {
    console.error(`A test process did not start:\n${said}`)
    process.exit(1)
  }
  child.once('close', fail)
  await once(child, 'message')
  child.off('close', fail)
  child.stderr.off('data', hear)
  return child
}

async function endProcess(child) {
  let output = ''
  const streams = [child.stdout, child.stderr].map((stream) => {
    stream.on('data', (text) => {
      output += text
    })
    return finished(stream)
  })
  const ended = once(child, 'exit')
  const timer = setTimeout(() => child.kill('SIGKILL'), ENDING_MS)
  child.disconnect()
  const [code, signal] = await ended
  clearTimeout(timer)
  // A process that a test left behind would keep them open.
  await Promise.race([Promise.all(streams), wait(1000)])
  return { code: signal ?? code, output }
}

/** Takes files from the queue until it is empty. */
async function work(cluster, queue, everyTest) {
  let child
  let failedHere = false
  let ran = []
  for (let file = queue.shift(); file; file = queue.shift()) {
    child ??= await startProcess(cluster)
    const before = failures.length
    const alive = await runFile(child, file, everyTest)
    failedHere ||= failures.length > before
    if (alive) ran.push(file)
    else {
      child = undefined
      ran = []
    }
  }
  if (!child) return
  const { code, output } = await endProcess(child)
  if (code === 0 && output.includes('left open:'))
    console.log(`! a test process ended late; its files: ${ran.join(', ')}\n${output}`)
  if (code === 0 || (code === 1 && failedHere)) return
  counts.fail += 1
  const why = code === 'SIGKILL' ? 'did not end, because something is left open' : `ended with ${code}`
  console.log(`✖ a test process ${why}; its files: ${ran.join(', ')}\n${output}`)
  failures.push(`a test process ${why}`)
}

/** Its output is kept until the tests are through. The compiler collects its garbage less often than by itself. */
function runCheck() {
  const child = spawn('npm', ['run', '--silent', 'check'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { GOGC: '400', ...process.env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  return once(child, 'exit').then(([code]) => ({ code, output }))
}

const wanted = process.argv.slice(2)
const files = inOrder(choose(wanted))
const began = performance.now()
const checking = wanted.length === 0 ? runCheck() : undefined
// The database alone does not keep this process alive, not even while it is being stopped.
setInterval(() => {}, 60_000)
const [cluster, browser, programs] = await Promise.all([
  startTestCluster(),
  browserFor(files),
  programsFor(wanted),
])
const queue = [...files]
const slots = Math.min(SLOTS, Math.ceil(files.length / FILES_AT_LEAST))
await Promise.all(Array.from({ length: slots }, () => work(cluster, queue, wanted.length > 0)))
await cluster.stop()
const check = await checking
if (check?.code) console.log(`\nnpm run check failed:\n${check.output}`)
if (failures.length > 0)
  console.log(
    `\nfailed:\n${failures.map((text) => `  ✖ ${text.trimEnd().replace(/\n/g, '\n      ')}`).join('\n')}`,
  )
console.log()
for (const [name, value] of Object.entries(counts)) console.log(`# ${name} ${value}`)
if (wanted.length === 0) {
  const total_ms = costs.reduce((sum, { cpu_ms }) => sum + cpu_ms, 0)
  console.log(`# CPU of the test processes ${seconds(total_ms)}; most of it:`)
  costs.sort((a, b) => b.cpu_ms - a.cpu_ms)
  for (const { file, cpu_ms } of costs.slice(0, COSTLIEST)) console.log(`#   ${seconds(cpu_ms)} ${file}`)
}
console.log(`# duration_ms ${Math.round(performance.now() - began)}`)
if (browser.PARLEY_BROWSER === 'none')
  console.log(`\nNot run: ${files.filter(needsBrowser).join(', ')}.\n${HOW_TO_GET_ONE}`)
process.exit(
  failures.length === 0 && counts.tests > 0 && counts.fail + counts.cancelled === 0 && !check?.code ? 0 : 1,
)
