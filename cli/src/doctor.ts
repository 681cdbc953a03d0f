import { examine, type Finding, readConfig } from '@parley/server'
import type { Command } from 'commander'
import { type Output, print } from './print.js'

const MARKS = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' } as const

function lineOf({ check, state, detail, advice }: Finding): string {
  const line = `${MARKS[state]}  ${check.padEnd(9)} ${detail}`
  return advice ? `${line}\n${' '.repeat(19)}→ ${advice}` : line
}

async function run(options: Output) {
  const findings = await examine(readConfig(process.env))
  const healthy = findings.every(({ state }) => state !== 'failed')
  print(options, { healthy, findings }, findings.map(lineOf))
  process.exitCode = healthy ? 0 : 1
}

export function addDoctor(program: Command) {
  program
    .command('doctor')
    .description('check database, schema, disk, clock, port and the outbound rule, and say what to do')
    .option('--json', 'print JSON')
    .action(run)
}
