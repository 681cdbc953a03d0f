import { createAccount, migrate, reachDatabase, readConfig } from '@parley/server'
import { type Command, Option } from 'commander'
import { type Output, print } from './print.js'

interface Options extends Output {
  email: string
  role: 'admin' | 'user' | 'multi_guest'
  firstName?: string
  password?: string
}

async function create(options: Options) {
  const reached = await reachDatabase(readConfig(process.env))
  try {
    await migrate(reached.url)
    const { email, role, firstName: first_name, password } = options
    const account = await createAccount(reached.url, { email, role, first_name, password })
    print(options, account, [`User ${account.id}: ${account.email}`, `Password ${account.password}`])
  } finally {
    await reached.close()
  }
}

export function addUser(program: Command) {
  program
    .command('user')
    .description('people of the workspace')
    .command('create')
    .description('make a confirmed account with a password')
    .requiredOption('--email <mail>', 'the login')
    .addOption(
      new Option('--role <role>', 'the role').choices(['admin', 'user', 'multi_guest']).default('user'),
    )
    .option('--first-name <name>', 'the name')
    .option('--password <password>', 'made and shown when absent')
    .option('--json', 'print JSON')
    .action(create)
}
