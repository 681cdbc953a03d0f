import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mattermostExport } from './mattermost/testing-export.js'
import { rocketChatCsv } from './rocketchat/testing-export.js'
import { slackExport } from './slack/testing-export.js'
import { read } from './testing-traps.js'
import { zulipExport } from './zulip/testing-export.js'

test('names that no such export has are told once each, and those that tools add are not', async (t) => {
  const exports = {
    slack: { ...slackExport(), 'canvases.json': [], 'général/attachments/F9-a.txt': 'a' },
    mattermost: { ...mattermostExport(), 'warnings.txt': 'a', 'exported_emoji/a/image': 'a' },
    zulip: { ...zulipExport(), 'stats.json': {}, 'emoji/records.json': [], 'realm_icons/icon.png': 'a' },
    csv: rocketChatCsv(),
  }
  for (const [source, entries] of Object.entries(exports)) {
    const { remarks } = await read(t, {
      ...entries,
      'setup.exe': 'a',
      'odd/1.bin': 'a',
      'odd/deep/2.bin': 'a',
    })
    const told = remarks.flatMap(({ of, reason, id }) =>
      of === 'entry' && reason === 'is not part of such an export' ? [id] : [],
    )
    assert.deepEqual(told.sort(), ['odd/', 'setup.exe'], source)
  }
})

test('tables in another encoding than UTF-8 are not read as if they were in it', async (t) => {
  const latin1 = Buffer.from('username,email,name\nren,ren@example.org,Ren\xe9\n', 'latin1')
  const { remarks } = await read(t, { ...rocketChatCsv(), 'users.csv': latin1 })
  const told = remarks.flatMap(({ reason, id }) => (id === 'users.csv' ? [reason] : []))
  assert.deepEqual(told, ['cannot be read: it is not UTF-8'])
})
