import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { Client } from '@parley/sdk/contract'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'

/** What these tests use of the server's own stage; the client knows the server by its contract alone. */
export interface World {
  url: string
  office: { id: number }
  owner: Person
  alice: Person
  bob: Person
  bot: Person
  mia: Person
  clock: { advance(ms: number): void; freeze(frozen: boolean): void; now(): number }
  server: { ctx: { config: { database_url: string; data_dir: string; app_url: string }; db: Deleting } }
  drain(): Promise<void>
  as(user_id: number, options: { session: boolean }): Promise<Person>
}
/** What of the database a test clears away. */
interface Deleting {
  deleteFrom(table: 'events'): {
    where(column: 'position', than: '<', position: number): { execute(): Promise<unknown> }
  }
}
type Person = Client & { id: number; token: string }

interface Finder {
  findBrowser(): Promise<{ path: string; env?: Record<string, string> } | null>
  HOW_TO_GET_ONE: string
}

const at = (path: string) => new URL(`../../../${path}`, import.meta.url).href
const { findBrowser, HOW_TO_GET_ONE } = (await import(at('web/testing/find-browser.mjs'))) as Finder
const { BROWSER_ARGS } = (await import(at('web/testing/browser-args.mjs'))) as { BROWSER_ARGS: string[] }
const { world } = (await import(at('server/dist/testing/world.js'))) as {
  world(t: TestContext, options: object): Promise<World>
}

/** A real identity provider, and who signs in there. */
interface IdentityProvider {
  people: Map<string, object>
  next: string
}
const { startProvider, connectTo } = (await import(at('server/dist/identities/testing-provider.js'))) as {
  startProvider(t: TestContext, s: World): Promise<IdentityProvider>
  connectTo(s: World, provider: IdentityProvider): Promise<unknown>
}

/** Connects the workspace to an identity provider called House. */
export async function connectProvider(t: TestContext, s: World): Promise<IdentityProvider> {
  const provider = await startProvider(t, s)
  await connectTo(s, provider)
  return provider
}

interface RunningServer {
  url: string
  stop(): Promise<void>
}
interface Serve {
  startServer(config: object, options: object): Promise<RunningServer>
}

const { closeAtEnd, retireShared } = (await import(at('server/dist/testing/stage.js'))) as {
  closeAtEnd(close: () => Promise<unknown>): void
  retireShared(): void
}

/** One for all files of a process: `after` would close it with the first of them. */
let launched: Promise<Browser> | undefined

async function launch(): Promise<Browser | null> {
  const found = await findBrowser()
  if (!found) return null
  if (!launched) {
    const env = { ...process.env, ...found.env } as never
    launched = chromium.launch({ executablePath: found.path, args: BROWSER_ARGS, env })
    const browser = await launched
    closeAtEnd(() => browser.close())
  }
  return launched
}

export interface OpenOptions extends BrowserContextOptions {
  /** Reaches the server at another address. */
  via?: string
  /** Whoever's session it is; a new one where none is given. */
  session?: Person
}

export interface Stage extends World {
  /** A browser of somebody who is signed in already. */
  open(person: { id: number }, path: string, options?: OpenOptions): Promise<Page>
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>
  /** Another server on the same database. */
  startAnother(): Promise<RunningServer>
  /** The same in a process of its own, which can be killed. */
  startProcess(t: TestContext): Promise<{ url: string; kill(): Promise<unknown> }>
  /** As when they are older than they are kept. */
  forgetEventsBefore(position: number): Promise<unknown>
  /** Whatever the pages complained about: errors of scripts and refusals of the content policy. */
  complaints: string[]
}

const { programFile } = (await import(at('server/dist/testing/program.js'))) as {
  programFile(name: 'parley', built: string): string
}
const CLI = programFile('parley', fileURLToPath(at('cli/dist/main.js')))

/** The server as `parley serve` runs it. */
async function startProcess(t: TestContext, config: { database_url: string; data_dir: string }) {
  const child = spawn(process.execPath, [CLI, 'serve', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATABASE_URL: config.database_url,
      PARLEY_DATA_DIR: config.data_dir,
      PARLEY_RATE_LIMITS: 'off',
      PARLEY_LOG_LEVEL: 'fatal',
    },
  })
  const ended = once(child, 'exit')
  const kill = () => {
    child.kill('SIGKILL')
    return ended
  }
  t.after(kill)
  for await (const line of createInterface({ input: child.stdout }))
    if (line.includes('"ready"')) return { url: String(JSON.parse(line).url), kill }
  throw new Error('the server process did not start')
}

/** Not in the types of Node 20 yet. */
const passed = (t: TestContext) => (t as { passed?: boolean }).passed !== false

/** So that a test that failed elsewhere can be understood from its output. */
async function whatItShows(page: Page): Promise<string> {
  const text = await page.locator('body').innerText({ timeout: 2000 }).catch(String)
  const line = text.replace(/\s+/g, ' ')
  return `${page.url()} showed: ${line.slice(0, 600)} … ${line.slice(600).slice(-200)}`
}

/** Longer than a busy machine takes for anything that works. */
export const PATIENCE_MS = 120_000

/** What waits for `opened` goes on once `open` is called. */
export function latch() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** Waits until a field holds a text: what fills or empties it may come a moment later. */
export const untilHolds = (field: Locator, text: string) => untilEquals(() => field.inputValue(), text)

/** The texts of the messages that a page shows, oldest first. */
const textsOf = (page: Page) =>
  page.getByRole('log').locator('[data-message]').locator('.text').allInnerTexts()

/** Waits until something reads as expected: a page shows what it knows a moment later. */
export async function untilEquals<T>(read: () => Promise<T>, expected: T) {
  let now = await read()
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end && !isDeepStrictEqual(now, expected); ) {
    await sleep(50)
    now = await read()
  }
  assert.deepEqual(now, expected)
}

/** For a page to say whether its snapshot has this entry. */
export const isKept = (key: string) => `new Promise((resolve) => {
  const asked = indexedDB.open('parley')
  asked.onsuccess = () => {
    const row = asked.result.transaction('copy').objectStore('copy').getKey('${key}')
    row.onsuccess = () => { asked.result.close(); resolve(row.result !== undefined) }
  }
})`

/** Does something, as a person would, until it shows what it should: what it needs may come a moment later. */
export async function repeatUntilShown(wanted: Locator, act: () => Promise<unknown>) {
  const isShown = () =>
    wanted.waitFor({ timeout: 1000 }).then(
      () => true,
      () => false,
    )
  for (let left = 30; left > 0; left -= 1) {
    await act()
    if (await isShown()) return
  }
  assert.fail(`${wanted} is not shown`)
}

/** Waits until a page shows these messages and no others: rows are drawn a moment after their messages came. */
export const untilShows = (page: Page, texts: readonly string[]) =>
  untilEquals(() => textsOf(page), [...texts])

/** Waits until these are the last messages that a page shows; of many it draws only those in view. */
export const untilEndsWith = (page: Page, texts: readonly string[]) =>
  untilEquals(async () => (await textsOf(page)).slice(-texts.length), [...texts])

/** A real server and a real browser; null where no browser can be had, unless one is required. */
export async function stage(t: TestContext, env?: Record<string, string>): Promise<Stage | null> {
  const browser = await launch()
  if (!browser) {
    if (process.env.PARLEY_BROWSER === 'required') throw new Error(HOW_TO_GET_ONE)
    t.skip(HOW_TO_GET_ONE)
    return null
  }
  const w = await world(t, { working: true, env })
  const complaints: string[] = []
  const print = async (test: unknown) => {
    if (passed(test as TestContext)) return
    for (const page of browser.contexts().flatMap((context) => context.pages()))
      console.error(await whatItShows(page))
  }
  // The outer test knows that one of its parts failed only after its own end.
  t.afterEach(print)
  t.after(() => print(t))
  async function newContext(options: BrowserContextOptions = {}) {
    const context = await (browser as Browser).newContext({
      locale: 'en-GB',
      reducedMotion: 'reduce',
      // Installing one costs each browser more than most tests; those that are about it allow it.
      serviceWorkers: 'block',
      ...options,
    })
    context.setDefaultTimeout(PATIENCE_MS)
    context.on('page', (page) => {
      page.on('pageerror', (error) => complaints.push(error.stack ?? error.message))
      page.on('console', (line) => {
        if (line.type() === 'error' && /Content Security Policy|Trusted/.test(line.text()))
          complaints.push(line.text())
      })
    })
    t.after(() => context.close())
    return context
  }
  return {
    ...w,
    complaints,
    newContext,
    async open(person, path, { via = w.url, session, ...options } = {}) {
      const context = await newContext(options)
      const { token } = session ?? (await w.as(person.id, { session: true }))
      await context.addCookies([
        { name: 'parley_session', value: token, url: via, httpOnly: true, sameSite: 'Lax' },
      ])
      const page = await context.newPage()
      await page.goto(via + path)
      return page
    },
    forgetEventsBefore: (position) =>
      w.server.ctx.db.deleteFrom('events').where('position', '<', position).execute(),
    startProcess(t) {
      retireShared()
      return startProcess(t, w.server.ctx.config)
    },
    async startAnother() {
      retireShared()
      const { startServer } = (await import(at('server/dist/serve.js'))) as Serve
      return startServer({ ...w.server.ctx.config, port: 0, log_level: 'silent' }, { clock: w.clock })
    },
  }
}
