import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

const { writeZip } = (await import(new URL('../../../imports/dist/testing.js', import.meta.url).href)) as {
  writeZip(path: string, entries: Record<string, unknown>): Promise<void>
}

/** An export of Slack with one person, one channel and two messages. */
export async function smallExport(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-export-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'export.zip')
  const said = (ts: string, text: string) => ({ type: 'message', user: 'U1', ts, text })
  await writeZip(path, {
    'users.json': [{ id: 'U1', name: 'zoe', profile: { real_name: 'Zoe', email: 'zoe@example.org' } }],
    'channels.json': [{ id: 'C1', name: 'garden', created: 1_600_000_000, creator: 'U1', members: ['U1'] }],
    'garden/2020-09-14.json': [said('1600000001.000100', 'Hello'), said('1600000002.000100', 'World')],
  })
  return path
}
