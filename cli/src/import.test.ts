import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { cloneDatabase } from '@parley/server/testing/cluster'
import { command, emptyFolder } from './testing-terminal.js'

/** An export of Slack, unpacked: one person, one channel, two messages and what no export has. */
async function writeExport(folder: string) {
  const said = (ts: string, text: string) => ({ type: 'message', user: 'U1', ts, text })
  const files = {
    'users.json': [{ id: 'U1', name: 'zoe', profile: { email: 'zoe@example.org' } }],
    'channels.json': [{ id: 'C1', name: 'garden', members: ['U1'] }],
    'garden/2020-09-14.json': [said('1600000001.000100', 'Hello'), said('1600000002.000100', 'World')],
    'setup.exe': 'odd',
  }
  await mkdir(join(folder, 'garden'), { recursive: true })
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, name), JSON.stringify(content))
}

/** A database and a folder of data for commands. */
async function workspace(t: TestContext) {
  const folder = await emptyFolder(t)
  const database = await cloneDatabase()
  t.after(() => database.drop())
  return { folder, env: { DATABASE_URL: database.url, PARLEY_DATA_DIR: join(folder, 'data') } }
}

/** The same with an export to import. */
async function exported(t: TestContext) {
  const { folder, env } = await workspace(t)
  const archive = join(folder, 'export')
  await writeExport(archive)
  return { folder, env, archive }
}

test('an archive is checked, imported, reported and taken out again', async (t) => {
  const { folder, env, archive } = await exported(t)

  const checked = await command(['import', 'check', archive], env)
  assert.equal(checked.code, 0, checked.stderr)
  assert.match(checked.stdout, /^Check of \S+ \(slack, slack\): checked, nothing is written$/m)
  assert.match(checked.stdout, /^ {2}message +2 read = 2 written \+ 0 merged \+ 0 skipped$/m)
  assert.match(checked.stdout, /^A run needs about \d+ s/m)
  assert.match(checked.stdout, /^ {2}skipped 1 × entry is not part of such an export \(setup\.exe\)$/m)
  const chosen = await command(['import', 'check', archive, '--chats', 'garden', 'typo'], env)
  assert.match(
    chosen.stdout,
    /^ {2}warning 1 × chat was asked for, and is no chat that the archive holds \(typo\)$/m,
  )
  const none = await command(['import', 'status'], env)
  assert.deepEqual([none.code, none.stderr], [1, 'parley: Nothing was imported here.\n'])

  const reports = [join(folder, 'report.html'), join(folder, 'report.json')] as const
  const choices = ['--since', '2020-01-31', '--name-prefix', 'old-']
  const done = await command(['import', 'run', archive, ...choices, '--report', ...reports], env)
  assert.equal(done.code, 0, done.stderr)
  assert.match(done.stdout, /: done\n {2}by user 1, .* to .*\n {2}with name_prefix old-, since 2020-01-31T/)
  assert.match(await readFile(reports[0], 'utf8'), /^<!doctype html>/)
  const { id, counts } = JSON.parse(await readFile(reports[1], 'utf8'))
  assert.deepEqual(Object.keys(counts), ['person', 'chat', 'chat_member', 'message'])
  const told = await command(['import', 'status', '--json'], env)
  assert.deepEqual([told.json().id, told.json().state, told.json().counts], [id, 'done', counts])

  const undone = await command(['import', 'undo', String(id)], env)
  assert.equal(undone.code, 0, undone.stderr)
  assert.match(undone.stdout, /: undone\n/)
  assert.doesNotMatch(undone.stdout, / read = /, 'what was written is not there any more')
})

test('what would stop an import is one sentence and a failure, before anything is written', async (t) => {
  const { folder, env } = await workspace(t)
  const archive = join(folder, 'notes.txt')
  await writeFile(archive, 'no archive at all')
  for (const verb of ['check', 'run']) {
    const refused = await command(['import', verb, archive], env)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /^parley: The archive cannot be imported: .* is neither a ZIP, .*\.\n$/)
  }
  const dated = await command(['import', 'check', archive, '--since', 'soon'], env)
  assert.deepEqual([dated.code, dated.stderr], [1, 'parley: soon is no date: write it as 2026-01-31.\n'])
  assert.equal((await command(['import', 'undo', '7'], env)).stderr, 'parley: There is no import 7.\n')
  const unnamed = await command(['import', 'undo', 'x'], env)
  assert.equal(unnamed.stderr, 'parley: An import is named by its number: see parley import status.\n')
  const away = join(folder, 'away', 'report.html')
  const unreported = await command(['import', 'run', archive, '--report', away], env)
  assert.match(unreported.stderr, /^parley: There is no folder .*away to write the report to\.\n$/)
})

test('a mapping that would not be read as it is meant is refused, with what is wrong in it', async (t) => {
  const { folder, env, archive } = await exported(t)
  const mapping = join(folder, 'mapping.json')
  const faultOf = async (text: string) => {
    await writeFile(mapping, text)
    const { code, stderr } = await command(['import', 'check', archive, '--mapping', mapping], env)
    assert.equal(code, 1, text)
    return stderr
  }
  assert.match(await faultOf('{"peple":{}}'), /peple is none of people, chats, fields, tags\.\n$/)
  assert.match(await faultOf('[]'), /mapping\.json cannot be used: it is no JSON object\.\n$/)
  assert.match(await faultOf('{"people":{"U1":5}}'), /cannot be used: people\.U1 must be string\.\n$/)
  assert.match(await faultOf('{"chats":{"C1":"x"}}'), /cannot be used: chats\.C1 must be/)
  assert.match(await faultOf('{"chats":'), /cannot be used: .*JSON/)
  assert.match(await faultOf('{"chats":{"C1":99999}}'), /chats\.C1 is chat 99999, and no conversation/)
})
