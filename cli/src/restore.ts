import { restoreDatabase, verifyBackup } from '@parley/postgres'
import { filesFolder, hasWorkspace, makeDatabase, migrate, OperatorError, placeOf } from '@parley/server'
import type { Command } from 'commander'
import { configOf, print, type Shared, withSharedOptions } from './answer.js'
import { progressBar, showMigrations } from './progress.js'
import type { Terminal } from './terminal.js'

interface Options extends Shared {
  force?: boolean
  verifyOnly?: boolean
}

type Summary = Awaited<ReturnType<typeof verifyBackup>>

function countRows({ tables }: Summary, without: readonly string[] = []): number {
  return tables.reduce((sum, { name, rows }) => (without.includes(name) ? sum : sum + rows), 0)
}

/** A backup without a workspace in it would replace one by nothing. */
async function readThrough(file: string): Promise<Summary> {
  const summary = await verifyBackup(file)
  if (summary.tables.some(({ name, rows }) => name === 'workspace' && rows > 0)) return summary
  throw new OperatorError(`The backup ${file} holds no workspace.`)
}

async function verify(terminal: Terminal, file: string, options: Options) {
  const bar = progressBar(terminal, 'Reading the backup', options.json)
  const summary = await readThrough(file).finally(() => bar.done())
  const lines = [`${file} is whole: ${countRows(summary)} rows, made ${summary.created_at}.`]
  print(terminal, options, { value: summary, lines })
}

async function restore(terminal: Terminal, file: string, options: Options) {
  const config = configOf(terminal, options)
  const bar = progressBar(terminal, 'Reading the backup', options.json)
  try {
    const { migrations } = await readThrough(file)
    bar.phase('Preparing the database')
    const reached = await makeDatabase(config)
    try {
      if (reached.through === 'running server')
        throw new OperatorError(`A server is running on ${placeOf(config)}: stop it first.`)
      const { url } = reached
      if (!options.force && (await hasWorkspace(url)))
        throw new OperatorError(
          `There is a workspace in ${placeOf(config)}: --force replaces it by the backup.`,
        )
      // The backup's own schema first, then its rows, then the newer migrations.
      await migrate(url, { only: migrations })
      bar.phase('Restoring')
      const { onProgress } = bar
      const target = { url, file, filesFolder: filesFolder(config), force: true, onProgress }
      const summary = await restoreDatabase(target)
      bar.phase('Bringing it to the newest schema')
      const applied = await migrate(url, showMigrations(bar))
      bar.done()
      const { left_out } = summary
      const lines = [`Restored ${countRows(summary, left_out)} rows from ${file} into ${placeOf(config)}.`]
      if (left_out.length > 0)
        lines.push(`Left out, because they are no tables of Parley: ${left_out.join(', ')}.`)
      print(terminal, options, { value: { ...summary, place: placeOf(config), applied }, lines })
    } finally {
      await reached.close()
    }
  } finally {
    bar.done()
  }
}

export function addRestore(program: Command, terminal: Terminal) {
  withSharedOptions(program.command('restore'))
    .argument('<file>', 'what parley backup wrote')
    .description('replace everything by what a backup holds; on any fault nothing changes')
    .option('--verify-only', 'read the backup through and change nothing')
    .option('--force', 'replace a workspace that is there')
    .action((file: string, options: Options) =>
      options.verifyOnly ? verify(terminal, file, options) : restore(terminal, file, options),
    )
}
