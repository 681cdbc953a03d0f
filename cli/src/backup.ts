import { existsSync } from 'node:fs'
import { backupDatabase } from '@parley/postgres'
import { filesFolder, reachDatabase, readConfig } from '@parley/server'
import type { Command } from 'commander'
import { type Output, print } from './print.js'
import { progressBar } from './progress.js'

async function run(file: string, options: Output) {
  const config = readConfig(process.env)
  const folder = filesFolder(config)
  const reached = await reachDatabase(config)
  const bar = progressBar('Backing up', options.json)
  try {
    const summary = await backupDatabase({
      url: reached.url,
      file,
      // With files kept elsewhere, or none yet, there is no folder.
      filesFolder: existsSync(folder) ? folder : undefined,
      onProgress: bar.onProgress,
    })
    bar.done()
    const rows = summary.tables.reduce((sum, table) => sum + table.rows, 0)
    const megabytes = (summary.bytes / 1e6).toFixed(1)
    print(options, summary, [`${file}: ${rows} rows, ${summary.files?.count ?? 0} files, ${megabytes} MB.`])
  } finally {
    bar.done()
    await reached.close()
  }
}

export function addBackup(program: Command) {
  program
    .command('backup <file>')
    .description('write a consistent backup of a running or stopped server into one file')
    .option('--json', 'print JSON')
    .action(run)
}
