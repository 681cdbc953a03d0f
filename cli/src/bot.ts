import { createOwnersBot } from '@parley/server'
import { type Command, Option } from 'commander'
import { onWorkspace, type Shared, withSharedOptions } from './answer.js'
import type { Terminal } from './terminal.js'
import { listOf } from './token.js'

type Webhook = Parameters<typeof createOwnersBot>[1]

interface NewBot extends Shared {
  name: string
  nickname?: string
  url?: string
  events?: string
  triggerOn?: Webhook['trigger_on']
  scopes?: string
}

function create(terminal: Terminal, options: NewBot) {
  return onWorkspace(terminal, options, async (workspace) => {
    const bot = await createOwnersBot(workspace, {
      name: options.name,
      nickname: options.nickname,
      outgoing_url: options.url,
      events: listOf(options.events) as Webhook['events'],
      trigger_on: options.triggerOn,
      scopes: listOf(options.scopes) as Webhook['scopes'],
    })
    const lines = [
      `Bot ${bot.id}: ${bot.name} (@${bot.nickname}). Keep these, they are shown once:`,
      `Token           ${bot.access_token}`,
      `Signing secret  ${bot.signing_secret}`,
      'Add it to a chat, and it can read and write there.',
    ]
    return { value: { bot }, lines }
  })
}

export function addBot(program: Command, terminal: Terminal) {
  const bot = program.command('bot').description('bots of the workspace')
  withSharedOptions(bot.command('create'))
    .description('make a bot of the owner, and show its token once')
    .requiredOption('--name <name>', 'the name that people see')
    .option('--nickname <nickname>', 'ends in _bot; made from the name when absent')
    .option('--url <address>', 'where its events are sent')
    .option('--events <list>', 'events that it is sent, with commas between them')
    .addOption(
      new Option('--trigger-on <what>', 'which messages it is sent').choices(['commands', 'all_messages']),
    )
    .option('--scopes <list>', 'scopes of its token, with commas between them')
    .action((options) => create(terminal, options))
}
