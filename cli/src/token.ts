import { createToken, migrate, reachDatabase, readConfig } from '@parley/server'
import type { Command } from 'commander'
import { type Output, print } from './print.js'

interface Options extends Output {
  user: string
  name?: string
  scopes?: string
}

async function create(options: Options) {
  const reached = await reachDatabase(readConfig(process.env))
  try {
    await migrate(reached.url)
    const scopes = options.scopes?.split(',').map((scope) => scope.trim())
    const token = await createToken(reached.url, { user: options.user, name: options.name, scopes })
    print(options, token, [`Token ${token.id} of user ${token.user_id}, shown once:`, token.token])
  } finally {
    await reached.close()
  }
}

export function addToken(program: Command) {
  program
    .command('token')
    .description('tokens of people and bots')
    .command('create')
    .description('make a token and show it once')
    .requiredOption('--user <id or mail>', 'whose token it is')
    .option('--name <name>', 'what the token is called in lists')
    .option('--scopes <list>', 'scopes with commas between them; every scope of the role when absent')
    .option('--json', 'print JSON')
    .action(create)
}
