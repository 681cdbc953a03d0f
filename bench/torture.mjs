// npm run torture: kills servers and database at random while people write, and checks that nothing is lost or doubled.
// With --abuse: attacks one server for --seconds and says how it answered meanwhile.
import { abuse } from './abuse/run.mjs'
import { readArgs } from './args.mjs'
import { torture } from './torture/run.mjs'

const options = readArgs(process.argv.slice(2))
const say = (line) => process.stderr.write(`${line}\n`)

async function runTorture() {
  const seed = Number(options.seed ?? Math.floor(Math.random() * 1_000_000))
  const kills = Number(options.kills ?? 20)
  say(`seed ${seed}`)
  return torture({ kills, seed, minutes: Number(options.minutes ?? 60), say })
}

const result = options.abuse
  ? await abuse({ seconds: Number(options.seconds ?? 60), say })
  : await runTorture()
process.stdout.write(`${JSON.stringify(result, null, options.json ? 0 : 1)}\n`)
const about = options.abuse ? '' : ` (seed ${result.seed})`
say(result.faults.length === 0 ? `everything held${about}` : `${result.faults.length} faults${about}`)
process.exit(result.faults.length === 0 ? 0 : 1)
