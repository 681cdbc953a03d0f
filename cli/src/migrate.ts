import { migrate, placeOf, reachDatabase } from '@parley/server'
import type { Command } from 'commander'
import { configOf, print, type Shared, withSharedOptions } from './answer.js'
import { progressBar, showMigrations } from './progress.js'
import type { Terminal } from './terminal.js'

async function run(terminal: Terminal, options: Shared) {
  const config = configOf(terminal, options)
  const reached = await reachDatabase(config)
  const bar = progressBar(terminal, 'Bringing it to the newest schema', options.json)
  try {
    const applied = await migrate(reached.url, showMigrations(bar)).finally(() => bar.done())
    const place = placeOf(config)
    const done = applied.length > 0 ? applied.map((name) => `applied ${name}`) : ['The schema is up to date.']
    print(terminal, options, { value: { place, applied }, lines: [`Schema of ${place}`, ...done] })
  } finally {
    await reached.close()
  }
}

export function addMigrate(program: Command, terminal: Terminal) {
  withSharedOptions(program.command('migrate'))
    .description('bring the database to the newest schema')
    .action((options) => run(terminal, options))
}
