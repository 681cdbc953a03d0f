import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { cloneDatabase, OWNER } from '@parley/server/testing/cluster'
import pg from 'pg'
import { command, emptyFolder } from './testing-terminal.js'

/** A workspace in a database of its own, commands on it, and a way to look into it. */
async function workspace(t: TestContext) {
  const [{ url, drop }, folder] = [await cloneDatabase(), await emptyFolder(t)]
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.after(async () => {
    await client.end()
    await drop()
  })
  const env = { DATABASE_URL: url, PARLEY_DATA_DIR: folder }
  return {
    folder,
    env,
    parley: (...args: string[]) => command(args, env),
    async query(text: string) {
      return (await client.query(text)).rows
    },
    async audited() {
      const { rows } = await client.query(
        'select event_key, actor_id::int, user_agent from audit_events order by sequence',
      )
      return rows.map(({ event_key, actor_id, user_agent }) => {
        assert.equal(actor_id, OWNER.id)
        assert.equal(user_agent, 'parley command')
        return event_key
      })
    },
  }
}

test('a command in a folder without a workspace says so, fails, and makes nothing', async (t) => {
  const folder = await emptyFolder(t)
  const missing = join(folder, 'data')
  const commands = [
    ['backup', join(folder, 'backup.tar.gz')],
    ['user', 'list'],
    ['user', 'create', '--email', 'ann@example.org'],
    ['user', 'password', 'ann@example.org'],
    ['user', 'second-factor-off', 'ann@example.org'],
    ['token', 'list'],
    ['token', 'create', '--user', '1'],
    ['bot', 'create', '--name', 'Helper'],
    ['settings'],
    ['settings', 'set', 'name=Acme'],
    ['audit', 'verify'],
    ['audit', 'seal'],
    ['audit', 'archive'],
    ['migrate'],
  ]
  for (const args of commands) {
    const { code, stdout, stderr } = await command([...args, '--data-dir', missing])
    assert.equal(code, 1, args.join(' '))
    assert.equal(stdout, '')
    assert.match(stderr, new RegExp(`^parley: There is no workspace in ${missing}: name its data folder`))
  }
  const { code, stdout } = await command(['doctor', '--data-dir', missing, '--port', '0'], { PORT: '1' })
  assert.equal(code, 1)
  assert.match(stdout, /^ok +port +127\.0\.0\.1:0 is free/m)
  assert.match(stdout, /^FAILED +workspace +There is no workspace in /m)
  assert.deepEqual(await readdir(folder), [])
})

test('a database without a workspace is no backup, and neither is a file that is there', async (t) => {
  const { parley, query, folder } = await workspace(t)
  const file = join(folder, 'backup.tar.gz')
  const saved = await parley('backup', file)
  assert.equal(saved.code, 0, saved.stderr)
  assert.match(
    saved.stdout,
    /^Workspace Parley in database t_\w+ on .*\n.*backup\.tar\.gz: \d+ rows, 0\.\d MB; 0 files\.\n$/,
  )
  const again = await parley('backup', file)
  assert.equal(again.code, 1)
  assert.match(again.stderr, /exists already: choose another name, or replace it with --force\.\n$/)
  assert.equal((await parley('backup', file, '--force')).code, 0)
  const nowhere = await parley('backup', join(folder, 'none', 'backup.tar.gz'))
  assert.match(nowhere.stderr, /^parley: There is no folder .*none to write the backup to\.\n$/)
  await query('truncate workspace cascade')
  const empty = join(folder, 'empty.tar.gz')
  const { code, stderr } = await parley('backup', empty)
  assert.equal(code, 1)
  assert.match(stderr, /^parley: There is no workspace in database /)
  assert.equal(existsSync(empty), false)
})

test('people are made, listed, given roles and passwords, and suspended, and the audit log has it all', async (t) => {
  const { parley, query, env, audited } = await workspace(t)
  const made = await parley('user', 'create', '--email', 'ann@example.org', '--first-name', 'Ann', '--json')
  assert.equal(made.code, 0, made.stderr)
  assert.equal(made.json().workspace.name, 'Parley')
  assert.match(made.json().password, /^.{16}$/)
  const twice = await parley('user', 'create', '--email', 'ANN@example.org')
  assert.deepEqual(
    [twice.code, twice.stderr],
    [1, 'parley: email: is in use already: choose another email\n'],
  )
  const odd = await parley('user', 'create', '--email', 'nonsense')
  assert.equal(odd.code, 1)
  assert.match(odd.stderr, /^parley: email "nonsense": /)
  const short = await parley('user', 'password', 'ann@example.org', '--password', 'x')
  assert.equal(short.stderr, 'parley: A password has 8 to 200 characters; this one has 1.\n')

  const listed = await parley('user', 'list')
  assert.match(listed.stdout, /^ID +MAIL +ROLE +STATE +LAST SEEN +NAME$/m)
  assert.match(listed.stdout, /^\d+ +ann@example\.org +user +active +never +Ann$/m)
  assert.match((await parley('user', 'role', 'ann@example.org', 'admin')).stdout, /has the role admin/)
  assert.equal((await parley('user', 'role', 'ann@example.org', 'king')).code, 2)
  assert.match((await parley('user', 'suspend', '@ann')).stdout, /is suspended\.$/m)
  assert.deepEqual((await parley('user', 'list', '--suspended', '--json')).json().users.length, 1)
  assert.match((await parley('user', 'unsuspend', '@ann')).stdout, /is active\.$/m)
  assert.equal((await parley('user', 'suspend', String(OWNER.id))).code, 1)
  assert.match((await parley('user', 'suspend', 'bob')).stderr, /^parley: Nobody is called bob: give the id/)

  const [before] = await query(`select password_hash from users where email = 'ann@example.org'`)
  const args = ['user', 'password', 'ann@example.org', '--password', '-']
  const set = await command(args, env, 'a new password\n')
  assert.match(set.stdout, /every session of it is over\.\nPassword as given\n$/)
  const [after] = await query(`select password_hash from users where email = 'ann@example.org'`)
  assert.notEqual(after.password_hash, before.password_hash)
  const link = await parley('user', 'password', 'ann@example.org', '--link')
  assert.match(link.stdout, /good for one hour:\nhttp:\/\/127\.0\.0\.1:8080\/reset\/\d+\.[\w-]{43}\n$/)
  assert.deepEqual(await audited(), [
    'user_created',
    'user_updated',
    'user_role_changed',
    'user_updated',
    'user_updated',
    'user_updated',
  ])
})

test('a CSV of people is imported line by line, and importing it again invites nobody twice', async (t) => {
  const { parley, folder } = await workspace(t)
  const file = join(folder, 'people.csv')
  const lines = [
    '\uFEFFemail;role;first_name;last_name;tags',
    'ann@example.org;admin;Ann;"Lee; jr";',
    'bob@example.org;;Bob;;"sales; oslo"',
    'nonsense;user;;;',
    'eve@example.org;king;;;',
    '',
  ]
  await writeFile(file, lines.join('\r\n'))
  const first = await parley('user', 'import', file, '--links')
  assert.equal(first.code, 1)
  assert.match(first.stdout, /^line 2: ann@example\.org invited: http:\S+\/invite\/\S+$/m)
  assert.match(first.stdout, /^line 4: nonsense failed: email "nonsense": /m)
  assert.match(
    first.stdout,
    /^line 5: eve@example\.org failed: role "king" is none of admin, user, multi_guest$/m,
  )
  assert.match(first.stdout, /^2 invited, 0 skipped, 2 failed\.$/m)
  await writeFile(file, lines.slice(0, 3).join('\n'))
  const again = await parley('user', 'import', file)
  assert.equal(again.code, 0)
  assert.match(again.stdout, /^0 invited, 2 skipped, 0 failed\.$/m)
  const users = (await parley('user', 'list', '--json')).json().users
  assert.deepEqual(users.map(({ name }: { name: string }) => name).slice(1), ['Ann Lee; jr', 'Bob'])
  await writeFile(file, 'mail,name\n')
  assert.match(
    (await parley('user', 'import', file)).stderr,
    /columns that are not known: mail, name\. Known are/,
  )
  assert.match((await parley('user', 'import', `${file}x`)).stderr, /cannot be read/)
  await writeFile(file, Buffer.from('email,first_name\nrené@example.org,René\n', 'latin1'))
  assert.match((await parley('user', 'import', file)).stderr, /is not UTF-8: save it as "CSV UTF-8"/)
})

test('tokens are made, listed without their values, and revoked; a bot gets its own', async (t) => {
  const { parley, query, audited } = await workspace(t)
  const token = await parley('token', 'create', '--user', '1', '--scopes', 'chats:read', '--json')
  const { id, token: value } = token.json()
  assert.match(
    (await parley('token', 'create', '--user', '1', '--scopes', 'x')).stderr,
    /x is not a scope\. Scopes are: .*chats:read, /,
  )
  const bot = (
    await parley('bot', 'create', '--name', 'Builds', '--trigger-on', 'all_messages', '--json')
  ).json()
  assert.match(bot.bot.access_token, /^.{43}$/)
  assert.match(bot.bot.signing_secret, /^whsec_/)
  const badBot = await parley('bot', 'create', '--name', 'Builds', '--events', 'nonsense')
  assert.equal(badBot.code, 1)
  assert.match(badBot.stderr, /^parley: events/)

  const listed = await parley('token', 'list')
  assert.ok(!listed.stdout.includes(value))
  assert.match(listed.stdout, new RegExp(`^${id} +owner@parley\\.local +personal`, 'm'))
  const own = (await parley('token', 'list', '--user', String(bot.bot.id), '--json')).json()
  assert.deepEqual(
    own.tokens.map(({ kind }: { kind: string }) => kind),
    ['bot'],
  )
  assert.equal((await parley('token', 'revoke', String(id))).stdout.split('\n')[1], `Token ${id} is revoked.`)
  assert.equal((await query(`select from tokens where id = ${id}`)).length, 0)
  assert.equal((await parley('token', 'revoke', String(id))).code, 1)
  const keys = await audited()
  assert.ok(keys.includes('access_token_created') && keys.includes('access_token_destroy'), keys.join())
})

test('settings are shown and changed as the owner could', async (t) => {
  const { parley, query } = await workspace(t)
  assert.match((await parley('settings')).stdout, /^time_zone +UTC$/m)
  const changes = ['name=Acme & Co', 'time_zone=Europe/Oslo', 'licenses=40', 'perimeter=10.0.0.0/8,192.0.2.7']
  const set = await parley('settings', 'set', ...changes, '--json')
  assert.equal(set.code, 0, set.stderr)
  const { settings } = set.json()
  assert.deepEqual(settings.perimeter, ['10.0.0.0/8', '192.0.2.7'])
  assert.deepEqual([settings.name, settings.licenses], ['Acme & Co', 40])
  assert.equal((await parley('settings', 'set', 'licenses=null', '--json')).json().settings.licenses, null)
  assert.match(
    (await parley('settings', 'set', 'colour=red')).stderr,
    /^parley: colour=red is no setting: give name=value/,
  )
  assert.match((await parley('settings', 'set', 'plan=gold')).stderr, /^parley: plan "gold": /)
  assert.equal((await query(`select from events where type = 'workspace.updated'`)).length, 2)
})

test('a command of another version than the database leaves it alone', async (t) => {
  const { parley, query } = await workspace(t)
  await query(`delete from schema_migrations where name = '0101-preferences.sql'`)
  const { code, stderr } = await parley('user', 'list')
  assert.equal(code, 1)
  assert.match(
    stderr,
    /^parley: 1 migrations wait: start the server of this version, or run parley migrate\.\n$/,
  )
})
