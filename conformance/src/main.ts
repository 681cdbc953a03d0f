import { readFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import {
  type Baseline,
  BaselineFault,
  judge,
  readBaseline,
  unknownEntries,
  writeBaseline,
} from './baseline.js'
import { type Law, LEVELS } from './law.js'
import { LAWS } from './laws.js'
import { type Options, receiverFor, tokensOf, UsageFault } from './options.js'
import { summarize } from './report.js'
import { CannotBegin, type Outcome, openRun } from './run.js'
import { selectLaws } from './select.js'
import { writeReports } from './write-reports.js'

/** Nothing unexpected; something unexpected; the run could not begin. */
const [KEPT, BROKEN, UNUSABLE] = [0, 1, 2]

const print = (line: string) => process.stdout.write(`${line}\n`)

function list(laws: readonly Law[]) {
  for (const { id, level, rule } of laws) print(`${id}\t${level}\t${rule}`)
}

function knownFailures({ baseline, updateBaseline }: Options): Baseline {
  if (!baseline) return {}
  try {
    return readBaseline(baseline)
  } catch (error) {
    if (updateBaseline && error instanceof BaselineFault) return {}
    throw error
  }
}

function tell({ law, state, message }: Outcome) {
  if (state === 'failed') print(`✖ ${law.id}: ${law.rule}\n    ${message?.split('\n')[0]}`)
}

async function run(options: Options, laws: readonly Law[]): Promise<number> {
  const known = knownFailures(options)
  const strays = unknownEntries(known, new Set(LAWS.map(({ id }) => id)))
  if (strays.length > 0)
    throw new UsageFault(`${options.baseline} names no law of this edition: ${strays.join(', ')}`)
  const tokens = tokensOf(options)
  const began_at = new Date().toISOString()
  const base_url = options.url.replace(/\/$/, '')
  const opened = await openRun({
    base_url,
    ...tokens,
    level: options.level,
    receiver: receiverFor(options),
  })
  const outcomes = await opened.try(laws, tell)
  const leftovers = await opened.close()
  const judged = judge(outcomes, known)
  const files = writeReports({ base_url, level: options.level, began_at, outcomes: judged, leftovers }, [
    ...options.report,
    ...(options.html ? [options.html] : []),
  ])
  if (options.baseline && options.updateBaseline) writeBaseline(options.baseline, outcomes, known)
  for (const { law } of judged.filter(({ verdict }) => verdict === 'passed, though a known failure'))
    print(`✖ ${law.id} passes now: take it out of ${options.baseline}`)
  for (const fault of leftovers) print(`could not be removed: ${fault}`)
  for (const file of files) print(`written: ${file}`)
  print(summarize(judged))
  if (options.updateBaseline) return KEPT
  return judged.some(({ unexpected }) => unexpected) ? BROKEN : KEPT
}

const several = (value: string, before: string[]) => [...before, value]

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

const program = new Command('parley-conformance')
  .description('Tries the laws of the API against a server, and removes what it made for them.')
  .version(version)
  .option('--url <address>', 'address of the API with its prefix, for example https://chat.example.org/v1')
  .option(
    '--token <token>',
    'token of the owner, an admin or a member; member=… is that of a second person',
    several,
    [],
  )
  .option(
    '--bot-token <token>',
    'token of a bot that the owner of the main token made, where that token may not create bots',
  )
  .addOption(
    new Option('--level <level>', 'the agreed document, or what Parley adds to it as well')
      .choices(LEVELS)
      .default('agreed'),
  )
  .option('--only <area>', 'laws of one area, or whose id begins so; may be repeated', several, [])
  .option('--webhook-listener <host:port>', 'where to listen for webhooks')
  .option(
    '--webhook-address <address>',
    'where the server reaches the listener, when that is another address',
  )
  .option(
    '--report <path>',
    'a report: .xml is JUnit, .html and .json; a folder gets all; may be repeated',
    several,
    [],
  )
  .option('--html <file>', 'the same as --report with this file')
  .option('--baseline <file>', 'known failures, which are accepted as long as they fail')
  .option('--update-baseline', 'write the failures of this run to the baseline')
  .option('--list', 'list the laws and try none')
  .exitOverride()

try {
  program.parse()
  const options = program.opts<Options>()
  const laws = selectLaws(LAWS, options.level, options.only)
  if (laws.length === 0) throw new UsageFault(`no law is of ${options.only.join(', ')}`)
  if (options.list) list(laws)
  else process.exitCode = await run(options, laws)
} catch (error) {
  const { code, exitCode, message } = error as { code?: string; exitCode?: number; message: string }
  const isKnown =
    error instanceof UsageFault || error instanceof CannotBegin || error instanceof BaselineFault
  if (isKnown) process.stderr.write(`${message}\n`)
  else if (!code?.startsWith('commander.')) throw error
  process.exitCode = exitCode === 0 ? KEPT : UNUSABLE
}
