// npm run torture: kills servers and database at random while people write, and checks that nothing is lost or doubled.
// With --imports: kills an import instead. With --mix: kills nobody, and does everything at once. With --clicks: uses the
// client at random. With --abuse: attacks one server for --seconds and says how it answered meanwhile.
import { readArgs } from './args.mjs'

const options = readArgs({
  usage: 'npm run torture -- [options]',
  about:
    'Kills servers and database at random while people write, then checks that nothing was lost or doubled. Exits with 1 on a fault.',
  options: {
    kills: { value: 'n', about: 'how many are killed (20)' },
    seed: { value: 'n', about: 'repeat the run that printed this seed' },
    minutes: { value: 'n', about: 'how long at most (60)' },
    failover: { about: 'kill the primary of a database with a standby instead, which is promoted' },
    rolling: { about: 'restart the servers in turn behind a proxy instead; no request may fail' },
    imports: {
      about:
        'kill an import and its database instead, and compare its tables with those of one that was not killed',
    },
    abuse: { about: 'instead: attack one server, and say how it answered meanwhile' },
    mix: {
      about:
        'instead: people of every role and bots do everything at once in a sandbox, and tables, answers and events must agree',
    },
    tabs: { about: 'with --mix: browser tabs stay open meanwhile, and must show what new ones show' },
    clicks: { about: 'instead: people click and type at random in the client, and nothing may break' },
    seconds: { value: 'n', about: 'with --abuse, --clicks and --mix: for how long (60)' },
    json: { about: 'print JSON' },
  },
})
// After the options, because they bring the whole server.
const [{ abuse }, { clicks }, { mix }, { tortureImports }, { torture }] = await Promise.all([
  import('./abuse/run.mjs'),
  import('./clicks/run.mjs'),
  import('./mix/run.mjs'),
  import('./torture/imports.mjs'),
  import('./torture/run.mjs'),
])
const say = (line) => process.stderr.write(`${line}\n`)

async function runTorture() {
  const seed = Number(options.seed ?? Math.floor(Math.random() * 1_000_000))
  const kills = Number(options.kills ?? 20)
  say(`seed ${seed}`)
  if (options.mix) return mix({ seed, seconds: Number(options.seconds ?? 60), tabs: options.tabs, say })
  if (options.clicks) return clicks({ seed, seconds: Number(options.seconds ?? 60), say })
  if (options.imports) return tortureImports({ kills, seed, say })
  const mode = options.failover ? 'failover' : options.rolling ? 'rolling' : 'kills'
  return torture({ kills, seed, minutes: Number(options.minutes ?? 60), mode, say })
}

const result = options.abuse
  ? await abuse({ seconds: Number(options.seconds ?? 60), say })
  : await runTorture()
/** Figures line by line, and the faults last, one line each. */
function linesOf({ faults, ...figures }) {
  const told = (value) =>
    typeof value === 'object' && value !== null
      ? Object.entries(value)
          .map(([name, inner]) => `${name} ${told(inner)}`)
          .join(', ')
      : String(value)
  const width = Math.max(...Object.keys(figures).map((name) => name.length))
  const lines = Object.entries(figures).map(([name, value]) => `${name.padEnd(width)}  ${told(value)}`)
  return [...lines, ...faults.map((fault) => `FAULT: ${told(fault)}`)]
}
process.stdout.write(`${options.json ? JSON.stringify(result) : linesOf(result).join('\n')}\n`)
const about = options.abuse ? '' : ` (seed ${result.seed})`
say(result.faults.length === 0 ? `everything held${about}` : `${result.faults.length} faults${about}`)
process.exit(result.faults.length === 0 ? 0 : 1)
