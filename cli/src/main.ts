import { ConfigError, OperatorError, StartError } from '@parley/server'
import { Command, CommanderError } from 'commander'
import { addAudit } from './audit.js'
import { addBackup } from './backup.js'
import { addDoctor } from './doctor.js'
import { addMigrate } from './migrate.js'
import { addRestore } from './restore.js'
import { addSandbox } from './sandbox.js'
import { addServe } from './serve.js'
import { addToken } from './token.js'
import { addUser } from './user.js'

const FAILED = 1
const USAGE = 2

const program = new Command('parley')
  .description('A self-hosted team-messaging workspace.')
  .showHelpAfterError('(parley --help lists the commands)')
  .exitOverride()

for (const add of [
  addServe,
  addSandbox,
  addMigrate,
  addToken,
  addUser,
  addDoctor,
  addBackup,
  addRestore,
  addAudit,
])
  add(program)
for (const command of program.commands) {
  command.exitOverride()
  for (const inner of command.commands) inner.exitOverride()
}

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : USAGE)
  const expected = [ConfigError, OperatorError, StartError].some((kind) => error instanceof kind)
  const { message, stack } = error as Error
  const text = expected || !process.env.DEBUG ? message : (stack ?? message)
  process.stderr.write(text.replaceAll(/^/gm, 'parley: ').concat('\n'))
  process.exit(error instanceof ConfigError ? USAGE : FAILED)
}
