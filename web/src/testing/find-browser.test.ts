import assert from 'node:assert/strict'
import { test } from 'node:test'

interface Browser {
  path: string
  env?: Record<string, string>
}
interface Machine {
  env: Record<string, string | undefined>
  run(command: string, args: string[]): string | null
  works(browser: Browser): boolean
  exists(path: string): boolean
  isRoot: boolean
}
interface Finder {
  findBrowser(machine: Machine): Promise<Browser | null>
  browserEnv(browser: Browser | null, wanted?: string): Record<string, string>
}

const finder = new URL('../../testing/find-browser.mjs', import.meta.url).href
const { findBrowser, browserEnv } = (await import(finder)) as Finder

const SHELL = '/usr/bin/chromium-headless-shell'

/** A machine without anything: no browser, no package manager, no network. */
function bare(more: Partial<Machine> = {}) {
  const ran: string[] = []
  const machine: Machine = {
    env: { PATH: '/usr/bin' },
    run(command, args) {
      ran.push([command.split('/').at(-1), ...args].join(' '))
      return null
    },
    works: () => false,
    exists: () => false,
    isRoot: false,
    ...more,
  }
  return { machine, ran }
}

test('a browser that is named is taken, and one that does not start is said', async () => {
  const env = { PARLEY_BROWSER: '/opt/chrome', PARLEY_BROWSER_LIBRARIES: '/opt/lib' }
  const found = await findBrowser(bare({ env, works: ({ path }) => path === '/opt/chrome' }).machine)
  assert.deepEqual(found, { path: '/opt/chrome', env: { LD_LIBRARY_PATH: '/opt/lib' } })
  await assert.rejects(findBrowser(bare({ env }).machine), /which does not start/)
})

test('one on the path comes next; one that does not start is passed over', async () => {
  const exists = (path: string) => path === SHELL || path === '/usr/bin/chromium'
  const found = await findBrowser(bare({ exists, works: ({ path }) => path === SHELL }).machine)
  assert.equal(found?.path, SHELL)
  assert.equal(await findBrowser(bare({ exists }).machine), null)
})

test('root installs one with apt on a machine whose lists of packages are empty', async () => {
  const ran: string[] = []
  let installed = false
  const run = (command: string, args: string[]) => {
    ran.push([command, ...args].join(' '))
    installed ||= args[0] === 'install'
    return ''
  }
  const exists = (path: string) => installed && path === SHELL
  const works = ({ path }: Browser) => path === SHELL
  const found = await findBrowser(bare({ run, exists, works, isRoot: true }).machine)
  assert.equal(found?.path, SHELL)
  const apt = ran.filter((line) => line.startsWith('apt-get'))
  assert.deepEqual(apt, [
    'apt-get update -qq',
    'apt-get install -y -qq --no-install-recommends chromium-headless-shell',
  ])
})

test('without apt Playwright fetches one', async () => {
  let fetched = ''
  const run = (_: string, args: string[]) => {
    if (args[1] === 'install') fetched = args.join(' ')
    return null
  }
  const works = () => fetched !== ''
  const found = await findBrowser(bare({ run, works }).machine)
  assert.match(fetched, /cli\.js install chromium-headless-shell$/)
  assert.match(found?.path ?? '', /chrom/)
})

test('where none can be had tests are left out, and fail where one is required', async () => {
  assert.equal(await findBrowser(bare().machine), null)
  assert.equal(await findBrowser(bare({ env: { PARLEY_BROWSER: 'none' }, works: () => true }).machine), null)
  assert.deepEqual(browserEnv(null, ''), { PARLEY_BROWSER: 'none' })
  assert.throws(() => browserEnv(null, 'required'), /No browser was found\. Install Chromium/)
  const found = { path: SHELL, env: { LD_LIBRARY_PATH: '/lib' } }
  assert.deepEqual(browserEnv(found, 'required'), { PARLEY_BROWSER: SHELL, PARLEY_BROWSER_LIBRARIES: '/lib' })
})
