import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportPage } from './report-page.js'

test('the report is a page that shows every count and runs nothing that an archive holds', () => {
  const page = reportPage({
    id: 3,
    source: 'slack',
    workspace: 'T1',
    archive: '/srv/<script>alert(1)</script>.zip',
    archive_sha256: 'e3b0c442',
    user_id: 7,
    options: { guests: 'skip', name_prefix: '<i>' },
    state: 'done',
    started_at: '2026-01-01T00:00:00.000Z',
    finished_at: null,
    estimate: { seconds: 12, file_bytes: 3_450_000, database_bytes: 1_000_000 },
    counts: { chat_member: { read: 10, written: 7, merged: 1, skipped: 2 } },
    remarks: [
      { kind: 'skipped', of: 'message', reason: 'is of the kind <img onerror=x>', count: 5, ids: ['"><b>'] },
    ],
    lost: ['drafts & reminders'],
  })
  assert.match(page, /<td>chat member<\/td><td class="number">10<\/td><td class="number">7<\/td>/)
  assert.ok(page.includes('about 12 s and the time to copy files, 1.0 MB in the database, 3.5 MB of files'))
  assert.ok(page.includes('<h1>Check</h1>'))
  assert.ok(page.includes('drafts &amp; reminders') && page.includes('not yet'))
  for (const fact of ['e3b0c442', 'user 7', 'guests skip, name_prefix &lt;i&gt;'])
    assert.ok(page.includes(fact), fact)
  assert.ok(!page.includes('<script>') && !page.includes('<img') && !page.includes('"><b>'))
})
