import { ConfigError, explainRefusal, OperatorError, RELEASE, StartError } from '@parley/server'
import { Command, CommanderError } from 'commander'
import { addAudit } from './audit.js'
import { addBackup } from './backup.js'
import { addBot } from './bot.js'
import { addDoctor } from './doctor.js'
import { addImport } from './import.js'
import { addMigrate } from './migrate.js'
import { addRestore } from './restore.js'
import { addSandbox } from './sandbox.js'
import { addServe } from './serve.js'
import { addSettings } from './settings.js'
import type { Terminal } from './terminal.js'
import { addToken } from './token.js'
import { addUser } from './user.js'
import { addWorkspace } from './workspace.js'

const FAILED = 1
const USAGE = 2

const COMMANDS = [
  addServe,
  addSandbox,
  addMigrate,
  addDoctor,
  addUser,
  addToken,
  addBot,
  addSettings,
  addBackup,
  addRestore,
  addAudit,
  addImport,
  addWorkspace,
]

/** Faults of usage are thrown, at every depth, and options belong to the command that they follow. */
function prepare(command: Command, terminal: Terminal) {
  command.exitOverride().enablePositionalOptions()
  command.configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
  for (const inner of command.commands) prepare(inner, terminal)
}

function createProgram(terminal: Terminal): Command {
  const program = new Command('parley')
    .description('A self-hosted team-messaging workspace.')
    .version(RELEASE, '-V, --version', 'print the version')
    .showHelpAfterError('(parley --help lists the commands)')
  for (const add of COMMANDS) add(program, terminal)
  prepare(program, terminal)
  return program
}

/** What went wrong, for the person who typed the command; with the stack if it is our fault and DEBUG is set. */
function explain(error: unknown, { env }: Terminal): string {
  const refusal = explainRefusal(error)
  if (refusal) return refusal
  const expected = [ConfigError, OperatorError, StartError].some((kind) => error instanceof kind)
  const { message, stack } = error as Error
  return expected || !env.DEBUG ? message : (stack ?? message)
}

/** Runs a command and gives its exit code: 0 done, 1 failed, 2 used wrongly. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' })
    return terminal.exit_code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE
    terminal.err(explain(error, terminal).replaceAll(/^/gm, 'parley: ').concat('\n'))
    return error instanceof ConfigError ? USAGE : FAILED
  }
}
