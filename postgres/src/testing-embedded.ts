import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, type TestContext } from 'node:test'
import { Client, type QueryResultRow } from 'pg'
import { type EmbeddedOptions, startEmbeddedPostgres } from './embedded.js'
import { saveTemplate } from './template.js'

export const launcher = new URL('./embedded.js', import.meta.url).href

/** A folder for the servers of one test file, and a cluster made once that they begin with. */
export function embeddedStage() {
  let base: string
  let template: string
  const at = (...names: string[]) => join(base, ...names)

  before(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'parley-embedded-')))
    await chmod(base, 0o755)
    template = at('template')
    const folder = at('made-once')
    await (await startEmbeddedPostgres({ folder, durable: false })).stop()
    await saveTemplate(folder, template)
  })
  after(() => rm(base, { recursive: true, force: true }))

  return {
    at,
    async start(t: TestContext, options: EmbeddedOptions) {
      const began = performance.now()
      const server = await startEmbeddedPostgres({ template, ...options })
      t.diagnostic(`started in ${Math.round(performance.now() - began)} ms`)
      t.after(() => server.stop())
      return server
    },
    async makeSocketFolder(): Promise<string> {
      const folder = await mkdtemp(at('s-'))
      await chmod(folder, 0o777)
      return folder
    },
  }
}

export function spawnServer(folder: string, options: { uid?: number; gid?: number } = {}): ChildProcess {
  return spawnModule(
    `const { startEmbeddedPostgres } = await import('${launcher}')
     try {
       const { url, pid } = await startEmbeddedPostgres({ folder: ${JSON.stringify(folder)} })
       console.log(JSON.stringify({ url, pid }))
       setInterval(() => {}, 1000)
     } catch (error) {
       console.error(String(error))
     }`,
    options,
  )
}

export function spawnModule(source: string, options: { uid?: number; gid?: number } = {}): ChildProcess {
  const args = ['--input-type=module', '-e', source]
  return spawn(process.execPath, args, { ...options, cwd: '/', env: {}, stdio: ['ignore', 'pipe', 'pipe'] })
}

export async function readReport(child: ChildProcess): Promise<{ url: string; pid: number }> {
  child.stderr!.pipe(process.stderr)
  const [line] = await once(createInterface(child.stdout!), 'line')
  return JSON.parse(line)
}

export async function query(url: string, text: string): Promise<QueryResultRow[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Tries until it holds; the runner's own time limit ends what never does. */
export async function eventually(holds: () => Promise<void>): Promise<void> {
  for (const until = Date.now() + 60_000; ; ) {
    try {
      return await holds()
    } catch (error) {
      if (Date.now() > until) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

/** A zombie has ended, however long its new parent takes to notice. */
export function isRunning(pid: number): boolean {
  try {
    return !execFileSync('/bin/ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' }).startsWith('Z')
  } catch {
    return false
  }
}
