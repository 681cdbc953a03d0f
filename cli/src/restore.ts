import { restoreDatabase, verifyBackup } from '@parley/postgres'
import { filesFolder, hasWorkspace, migrate, OperatorError, reachDatabase, readConfig } from '@parley/server'
import type { Command } from 'commander'
import { type Output, print } from './print.js'
import { progressBar } from './progress.js'

interface Options extends Output {
  force?: boolean
  verifyOnly?: boolean
}

async function verify(file: string, options: Options) {
  const summary = await verifyBackup(file)
  const rows = summary.tables.reduce((sum, table) => sum + table.rows, 0)
  print(options, summary, [`${file} is whole: ${rows} rows, made ${summary.created_at}.`])
}

async function restore(file: string, options: Options) {
  const config = readConfig(process.env)
  const { migrations } = await verifyBackup(file)
  const reached = await reachDatabase(config)
  if (reached.through === 'running server' && !options.force) {
    throw new OperatorError('A server is running on this data folder: stop it first.')
  }
  const bar = progressBar('Restoring', options.json)
  try {
    // The backup's own schema first, then its rows, then whatever migrations are newer.
    await migrate(reached.url, migrations)
    const { url } = reached
    if (!options.force && (await hasWorkspace(url))) {
      throw new OperatorError('There is a workspace here: --force replaces it by the backup.')
    }
    const summary = await restoreDatabase({
      url,
      file,
      filesFolder: filesFolder(config),
      force: true,
      onProgress: bar.onProgress,
    })
    const applied = await migrate(url)
    bar.done()
    const rows = summary.tables.reduce((sum, table) => sum + table.rows, 0)
    print(options, { ...summary, applied }, [`Restored ${rows} rows from ${file}.`])
  } finally {
    bar.done()
    await reached.close()
  }
}

export function addRestore(program: Command) {
  program
    .command('restore <file>')
    .description('replace everything by what a backup holds; on any fault nothing changes')
    .option('--verify-only', 'read the backup through and change nothing')
    .option('--force', 'replace a workspace that is there')
    .option('--json', 'print JSON')
    .action((file: string, options: Options) =>
      options.verifyOnly ? verify(file, options) : restore(file, options),
    )
}
