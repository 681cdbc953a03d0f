// npm run torture: kills servers and database at random while people write, and checks that nothing is lost or doubled.
import { readArgs } from './args.mjs'
import { torture } from './torture/run.mjs'

const options = readArgs(process.argv.slice(2))
const seed = Number(options.seed ?? Math.floor(Math.random() * 1_000_000))
const kills = Number(options.kills ?? 20)
const say = (line) => process.stderr.write(`${line}\n`)

say(`seed ${seed}`)
const result = await torture({ kills, seed, minutes: Number(options.minutes ?? 60), say })
process.stdout.write(`${JSON.stringify(result, null, options.json ? 0 : 1)}\n`)
say(
  result.faults.length === 0
    ? `everything held (seed ${seed})`
    : `${result.faults.length} faults (seed ${seed})`,
)
process.exit(result.faults.length === 0 ? 0 : 1)
