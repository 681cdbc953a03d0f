import {
  changePerson,
  clearSecondFactor,
  createAccount,
  linkForPassword,
  listPeople,
  setPassword,
} from '@parley/server'
import { type Command, Option } from 'commander'
import { onWorkspace, type Shared, table, withSharedOptions } from './answer.js'
import { addImportOfPeople } from './import-people.js'
import type { Terminal } from './terminal.js'

const ROLES = ['admin', 'user', 'multi_guest']
const WHO = 'id, mail or @nickname'

/** `-` means standard input, so that a password is in no list of processes. */
async function readPassword(terminal: Terminal, given: string | undefined): Promise<string | undefined> {
  return given === '-' ? (await terminal.read()).replace(/\r?\n$/, '') : given
}

const shown = (password: string | null) => (password === null ? 'as given' : password)

interface NewUser extends Shared {
  email: string
  role: 'admin' | 'user' | 'multi_guest'
  firstName?: string
  password?: string
}

async function create(terminal: Terminal, options: NewUser) {
  const { email, role, firstName: first_name } = options
  const password = await readPassword(terminal, options.password)
  await onWorkspace(terminal, options, async (workspace) => {
    const account = await createAccount(workspace, { email, role, first_name, password })
    const lines = [`User ${account.id}: ${account.email}`, `Password ${shown(account.password)}`]
    return { value: account, lines }
  })
}

function list(terminal: Terminal, options: Shared & { role?: string; suspended?: boolean }) {
  return onWorkspace(terminal, options, async (workspace) => {
    const users = await listPeople(workspace, options)
    const rows = users.map(({ id, email, nickname, name, role, state, last_activity_at }) => [
      String(id),
      email ?? `@${nickname}`,
      role,
      state,
      last_activity_at?.toISOString().slice(0, 10) ?? 'never',
      name,
    ])
    const lines = table(['ID', 'MAIL', 'ROLE', 'STATE', 'LAST SEEN', 'NAME'], rows)
    return { value: { users }, lines }
  })
}

async function password(
  terminal: Terminal,
  who: string,
  options: Shared & { password?: string; link?: boolean },
) {
  const given = await readPassword(terminal, options.password)
  await onWorkspace(terminal, options, async (workspace) => {
    if (options.link) {
      const link = await linkForPassword(workspace, who)
      return { value: link, lines: [`A link for ${link.email}, good for one hour:`, link.url] }
    }
    const account = await setPassword(workspace, who, given)
    const done = `User ${account.id} (${account.email}) has a new password; every session of it is over.`
    return { value: account, lines: [done, `Password ${shown(account.password)}`] }
  })
}

function unprotect(terminal: Terminal, who: string, options: Shared) {
  return onWorkspace(terminal, options, async (workspace) => {
    const account = await clearSecondFactor(workspace, who)
    return { value: account, lines: [`User ${account.id} (${account.email}) signs in by password alone.`] }
  })
}

function change(
  terminal: Terminal,
  who: string,
  options: Shared,
  what: { role: string } | { suspended: boolean },
) {
  return onWorkspace(terminal, options, async (workspace) => {
    const user = await changePerson(workspace, who, what)
    const { id, email, nickname, role, suspended } = user
    const state = suspended ? 'suspended' : 'active'
    const line = `User ${id} (${email ?? `@${nickname}`}) has the role ${role} and is ${state}.`
    return { value: { user }, lines: [line] }
  })
}

export function addUser(program: Command, terminal: Terminal) {
  const user = program.command('user').description('people of the workspace')
  const role = () => new Option('--role <role>', 'the role').choices(ROLES)
  withSharedOptions(user.command('list'))
    .description('list people and bots with role, state and when they were last seen')
    .addOption(new Option('--role <role>', 'only this role').choices(['owner', ...ROLES, 'guest', 'bot']))
    .option('--suspended', 'only those who are suspended')
    .action((options) => list(terminal, options))
  withSharedOptions(user.command('create'))
    .description('make a confirmed account with a password')
    .requiredOption('--email <mail>', 'the login')
    .addOption(role().default('user'))
    .option('--first-name <name>', 'the name')
    .option('--password <password>', 'made and shown when absent; - reads it from standard input')
    .action((options) => create(terminal, options))
  withSharedOptions(user.command('password'))
    .argument('<who>', WHO)
    .description('set a new password and end every session; or make a link with which a person sets one')
    .option('--password <password>', 'made and shown when absent; - reads it from standard input')
    .option('--link', 'print a link instead of setting a password')
    .action((who, options) => password(terminal, who, options))
  withSharedOptions(user.command('second-factor-off'))
    .argument('<who>', WHO)
    .description('take the second factor of somebody away who has lost their devices and recovery codes')
    .action((who, options) => unprotect(terminal, who, options))
  withSharedOptions(user.command('role'))
    .argument('<who>', WHO)
    .argument('<role>', `one of ${ROLES.join(', ')}`)
    .description('give a person another role')
    .action((who, wanted, options, command: Command) => {
      if (!ROLES.includes(wanted)) command.error(`error: the role is one of ${ROLES.join(', ')}`)
      return change(terminal, who, options, { role: wanted })
    })
  withSharedOptions(user.command('suspend'))
    .argument('<who>', WHO)
    .description('keep somebody out: every token and session stops working at once')
    .action((who, options) => change(terminal, who, options, { suspended: true }))
  withSharedOptions(user.command('unsuspend'))
    .argument('<who>', WHO)
    .description('let somebody in again who was suspended')
    .action((who, options) => change(terminal, who, options, { suspended: false }))
  addImportOfPeople(user, terminal)
}
