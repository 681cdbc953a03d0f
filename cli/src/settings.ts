import { setSettings, showSettings } from '@parley/server'
import type { Command } from 'commander'
import { type Answer, onWorkspace, type Shared, table, withSharedOptions } from './answer.js'
import type { Terminal } from './terminal.js'

function answerOf(settings: object): Answer {
  const rows = Object.entries(settings).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(',') : String(value),
  ])
  return { value: { settings }, lines: table(['SETTING', 'VALUE'], rows) }
}

export function addSettings(program: Command, terminal: Terminal) {
  const settings = withSharedOptions(program.command('settings'))
    .description('what the owner decides for the workspace: name, time zone, plan, who may do what')
    .action((options: Shared) =>
      onWorkspace(terminal, options, async (workspace) => answerOf(await showSettings(workspace))),
    )
  withSharedOptions(settings.command('set'))
    .argument('<change...>', 'name=value; null where a setting can be empty')
    .description('change settings: parley settings set name="Acme" time_zone=Europe/Oslo')
    .action((changes: string[], options: Shared) =>
      onWorkspace(terminal, options, async (workspace) => answerOf(await setSettings(workspace, changes))),
    )
}
