import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { format } from 'node:util'
import { connect } from '@parley/sdk'
import { type RunningSandbox, startSandbox } from './start.js'

const GUIDES = new URL('../../../docs/guides/', import.meta.url)
/** Inside the repository, so that the programs find the kit. */
const PROGRAMS = new URL('./guides/', import.meta.url)
/** Those that move the clock come last: webhooks that are signed with another time are refused. */
const LAST = ['testing.md', 'schedules.md']

let sandbox: RunningSandbox

before(async () => {
  sandbox = await startSandbox({ port: 0, env: { PARLEY_LOG_LEVEL: 'silent' } })
  const control = connect({ base_url: sandbox.base_url }).sandbox
  await control.setLimits({ enabled: false })
  // A press opens a form for three seconds, which on a busy machine are over too soon.
  await control.moveClock({ freeze: true })
  await mkdir(PROGRAMS, { recursive: true })
})
after(() => sandbox.stop())

/** The code blocks of a guide as one program, and what it says that they print. */
async function read(name: string) {
  const text = await readFile(new URL(name, GUIDES), 'utf8')
  const blocks = [...text.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
  const program = blocks.join('\n')
  const printed = [...program.matchAll(/console\.log\(.*\) \/\/ → (.*)$/gm)].map(([, said]) => said)
  return { program, printed, prints: program.match(/console\.log\(/g)?.length }
}

/** Imports of several blocks repeat; a module takes each name once. */
function withoutRepeats(program: string): string {
  const seen = new Set<string>()
  return program.replace(/^(import .*|const \{ BASE_URL.*|const owner = .*)$/gm, (line) => {
    if (seen.has(line)) return ''
    seen.add(line)
    return line
  })
}

async function run(name: string, program: string): Promise<string[]> {
  const file = new URL(`${name.replace(/\.md$/, '')}.mjs`, PROGRAMS)
  await writeFile(file, withoutRepeats(program))
  const said: string[] = []
  const { log } = console
  const { BASE_URL, OWNER_TOKEN } = process.env
  Object.assign(process.env, { BASE_URL: sandbox.base_url, OWNER_TOKEN: sandbox.owner_token })
  console.log = (...values) => said.push(format(...values))
  try {
    await import(file.href)
  } finally {
    console.log = log
    for (const [key, value] of Object.entries({ BASE_URL, OWNER_TOKEN }))
      if (value === undefined) delete process.env[key]
      else process.env[key] = value
  }
  return said
}

const names = (await readdir(GUIDES)).filter((name) => name.endsWith('.md') && name !== 'README.md')
const ordered = [...names.filter((name) => !LAST.includes(name)), ...LAST]

for (const name of ordered) {
  test(`the guide ${name} does what it says`, async () => {
    const { program, printed, prints } = await read(name)
    assert.equal(printed.length, prints, 'every console.log says what it prints')
    assert.ok(printed.length > 0)
    assert.deepEqual(await run(name, program), printed)
  })
}

test('the list of guides names each of them', async () => {
  const list = await readFile(new URL('README.md', GUIDES), 'utf8')
  for (const name of names) assert.match(list, new RegExp(`\\(${name}\\)`))
})
