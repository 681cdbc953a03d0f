import { startSandbox } from '@parley/server/sandbox'
import type { Command } from 'commander'
import type { Terminal } from './terminal.js'
import { untilStopped } from './until-stopped.js'

async function sandbox(terminal: Terminal, options: { port: string }) {
  const { stop, ...running } = await startSandbox({ port: Number(options.port), env: terminal.env })
  terminal.out(`${JSON.stringify({ ready: true, ...running, pid: process.pid })}\n`)
  await untilStopped(stop)
}

export function addSandbox(program: Command, terminal: Terminal) {
  program
    .command('sandbox')
    .description('run a throw-away workspace to test bots against: the clock can be moved, faults injected')
    .option('--port <n>', 'the port to listen on', '8090')
    .option('--json', 'the line that says ready is JSON in any case')
    .action((options) => sandbox(terminal, options))
}
