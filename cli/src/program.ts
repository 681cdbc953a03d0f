import { RELEASE } from '@parley/server/version'
import { Command, CommanderError } from 'commander'
import type { Terminal } from './terminal.js'

const FAILED = 1
const USAGE = 2

type AddCommand = (program: Command, terminal: Terminal) => void

/** Loaded when named: the whole server takes a second of CPU to load. */
const COMMANDS: Record<string, () => Promise<AddCommand>> = {
  serve: async () => (await import('./serve.js')).addServe,
  sandbox: async () => (await import('./sandbox.js')).addSandbox,
  migrate: async () => (await import('./migrate.js')).addMigrate,
  doctor: async () => (await import('./doctor.js')).addDoctor,
  user: async () => (await import('./user.js')).addUser,
  token: async () => (await import('./token.js')).addToken,
  bot: async () => (await import('./bot.js')).addBot,
  settings: async () => (await import('./settings.js')).addSettings,
  backup: async () => (await import('./backup.js')).addBackup,
  restore: async () => (await import('./restore.js')).addRestore,
  audit: async () => (await import('./audit.js')).addAudit,
  files: async () => (await import('./files.js')).addFiles,
  import: async () => (await import('./import.js')).addImport,
  listen: async () => (await import('./listen.js')).addListen,
  mcp: async () => (await import('./mcp.js')).addMcp,
  workspace: async () => (await import('./workspace.js')).addWorkspace,
}

/** The command that is named, or all of them where help or a suggestion may be needed. */
function commandsFor([first = '']: readonly string[]) {
  if (first === '--version' || first === '-V') return []
  const named = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined
  return named ? [named] : Object.values(COMMANDS)
}

/** Faults of usage are thrown, at every depth, and options belong to the command that they follow. */
function prepare(command: Command, terminal: Terminal) {
  command.exitOverride().enablePositionalOptions()
  command.configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
  for (const inner of command.commands) prepare(inner, terminal)
}

async function createProgram(args: readonly string[], terminal: Terminal): Promise<Command> {
  const program = new Command('parley')
    .description('A self-hosted team-messaging workspace.')
    .version(RELEASE, '-V, --version', 'print the version')
    .showHelpAfterError('(parley --help lists the commands)')
  for (const load of commandsFor(args)) (await load())(program, terminal)
  prepare(program, terminal)
  return program
}

/** What went wrong, for the person who typed the command; with the stack if it is our fault and DEBUG is set. */
async function explain(error: unknown, { env }: Terminal): Promise<{ text: string; code: number }> {
  const { ConfigError, explainRefusal, OperatorError, StartError } = await import('@parley/server')
  const refusal = explainRefusal(error)
  if (refusal) return { text: refusal, code: FAILED }
  const expected = [ConfigError, OperatorError, StartError].some((kind) => error instanceof kind)
  const { message, stack } = error as Error
  const code = error instanceof ConfigError ? USAGE : FAILED
  return { text: expected || !env.DEBUG ? message : (stack ?? message), code }
}

/** Runs a command and gives its exit code: 0 done, 1 failed, 2 used wrongly. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const program = await createProgram(args, terminal)
    await program.parseAsync(args, { from: 'user' })
    return terminal.exit_code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE
    const { text, code } = await explain(error, terminal)
    terminal.err(text.replaceAll(/^/gm, 'parley: ').concat('\n'))
    return code
  }
}
