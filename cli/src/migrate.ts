import { migrate, reachDatabase, readConfig } from '@parley/server'
import type { Command } from 'commander'
import { type Output, print } from './print.js'

async function run(options: Output) {
  const reached = await reachDatabase(readConfig(process.env))
  try {
    const applied = await migrate(reached.url)
    const lines = applied.length ? applied.map((name) => `applied ${name}`) : ['The schema is up to date.']
    print(options, { applied }, lines)
  } finally {
    await reached.close()
  }
}

export function addMigrate(program: Command) {
  program
    .command('migrate')
    .description('bring the database to the newest schema')
    .option('--json', 'print JSON')
    .action(run)
}
