import { createToken, listTokens, OperatorError, revokeToken } from '@parley/server'
import type { Command } from 'commander'
import { onWorkspace, type Shared, table, withSharedOptions } from './answer.js'
import type { Terminal } from './terminal.js'

interface NewToken extends Shared {
  user: string
  name?: string
  scopes?: string
}

export function listOf(text: string | undefined): string[] | undefined {
  return text?.split(',').map((item) => item.trim())
}

function create(terminal: Terminal, options: NewToken) {
  const { user, name } = options
  return onWorkspace(terminal, options, async (workspace) => {
    const token = await createToken(workspace, { user, name, scopes: listOf(options.scopes) })
    return { value: token, lines: [`Token ${token.id} of user ${token.user_id}, shown once:`, token.token] }
  })
}

const day = (date: Date | null, none: string) => date?.toISOString().slice(0, 10) ?? none

function list(terminal: Terminal, options: Shared & { user?: string }) {
  return onWorkspace(terminal, options, async (workspace) => {
    const tokens = await listTokens(workspace, options.user)
    const rows = tokens.map((token) => [
      String(token.id),
      token.user,
      token.kind,
      token.mask,
      day(token.last_used_at, 'never'),
      day(token.expires_at, 'never'),
      token.name ?? '',
    ])
    const lines = table(['ID', 'USER', 'KIND', 'TOKEN', 'LAST USED', 'EXPIRES', 'NAME'], rows)
    return { value: { tokens }, lines }
  })
}

function revoke(terminal: Terminal, id: string, options: Shared) {
  if (!/^\d{1,15}$/.test(id)) throw new OperatorError('A token is named by its id: see parley token list.')
  return onWorkspace(terminal, options, async (workspace) => {
    await revokeToken(workspace, Number(id))
    return { value: { revoked: Number(id) }, lines: [`Token ${id} is revoked.`] }
  })
}

export function addToken(program: Command, terminal: Terminal) {
  const token = program.command('token').description('tokens of people and bots')
  withSharedOptions(token.command('create'))
    .description('make a token and show it once')
    .requiredOption('--user <who>', 'whose token it is: id, mail or @nickname')
    .option('--name <name>', 'what the token is called in lists')
    .option('--scopes <list>', 'scopes with commas between them; every scope of the role when absent')
    .action((options) => create(terminal, options))
  withSharedOptions(token.command('list'))
    .description('list tokens and sessions that work, without their values')
    .option('--user <who>', 'only those of one person or bot')
    .action((options) => list(terminal, options))
  withSharedOptions(token.command('revoke'))
    .argument('<id>', 'the id that token list shows')
    .description('end a token or a session at once')
    .action((id, options) => revoke(terminal, id, options))
}
