import { examine, type Finding } from '@parley/server'
import type { Command } from 'commander'
import { type Address, configAt, print, withAddress, withSharedOptions } from './answer.js'
import type { Terminal } from './terminal.js'

const MARKS = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' } as const

function lineOf({ check, state, detail, advice }: Finding): string {
  const line = `${MARKS[state]}  ${check.padEnd(10)} ${detail}`
  return advice ? `${line}\n${' '.repeat(20)}→ ${advice}` : line
}

async function run(terminal: Terminal, options: Address) {
  const findings = await examine(configAt(terminal, options))
  const healthy = findings.every(({ state }) => state !== 'failed')
  print(terminal, options, { value: { healthy, findings }, lines: findings.map(lineOf), failed: !healthy })
}

export function addDoctor(program: Command, terminal: Terminal) {
  withAddress(withSharedOptions(program.command('doctor')))
    .description('try everything that is configured, and say what to do about what fails')
    .action((options) => run(terminal, options))
}
