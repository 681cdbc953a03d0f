import { type Line, remark } from '@parley/imports'
import { updateWorkspace } from '../../company/queries.js'
import { insertPortableRule } from '../../dlp/portable-queries.js'
import type { Tx } from '../../platform/db/index.js'
import { insertChange } from '../../retention/queries.js'
import { findKeys, insertForeignKeys } from '../queries.js'
import { type Outcome, outcome, type Run } from '../run-state.js'
import { chatId, personId, phase, type Rows } from './phase.js'

async function apply(tx: Tx, run: Run, line: Line<'setting'>): Promise<boolean> {
  if (line.setting === 'dlp_rule') {
    const { setting, ...rule } = line
    return insertPortableRule(tx, rule)
  }
  if (line.setting === 'retention') {
    const user_id = personId(run, line.person_id) ?? run.row.user_id
    await insertChange(tx, { user_id, days: line.days as never, created_at: new Date(line.created_at) })
    return true
  }
  const { name, time_zone, integrations, personal_tokens, show_personal_data, perimeter } = line
  const { own_names, removed_members_keep_threads } = line
  const own = { name, time_zone, integrations, personal_tokens, show_personal_data, perimeter }
  await updateWorkspace(tx, { ...own, own_names, removed_members_keep_threads })
  return true
}

/** A workspace that was empty takes the settings of the file; another one has its own. */
async function writeSettings(tx: Tx, run: Run, rows: Rows<'setting'>): Promise<Outcome> {
  const result = outcome()
  for (const { body, source_id } of rows) {
    if (run.row.keeps_ids && (await apply(tx, run, body))) result.written += 1
    else result.skipped.push(remark('skipped', 'setting', 'is a setting that this workspace has', source_id))
  }
  return result
}

export const settings = phase('setting', 100, writeSettings)

/** Under which kinds of key the things are known that keys of other sources name. */
const OF_KIND: Record<string, string> = { tag: 'tag', property: 'property', message: 'message' }

async function idsOfKeys(tx: Tx, run: Run, rows: Rows<'import_key'>): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const { body, source_id } of rows) {
    if (body.kind === 'person') set(source_id, personId(run, body.id))
    // The key of a thread names the chat of the thread.
    if (body.kind === 'chat' || body.kind === 'thread') set(source_id, chatId(run, body.id))
  }
  for (const [kind, own] of Object.entries(OF_KIND)) {
    const named = rows.filter(({ body }) => body.kind === kind)
    const found = await findKeys(tx, run.row, own, [...new Set(named.map(({ body }) => String(body.id)))])
    for (const { body, source_id } of named) set(source_id, found.get(String(body.id)))
  }
  return ids

  function set(source_id: string, id: number | undefined) {
    if (id !== undefined) ids.set(source_id, id)
  }
}

/** A later export of a source that the other server has imported adds here what is new in it. */
async function writeImportKeys(tx: Tx, run: Run, rows: Rows<'import_key'>): Promise<Outcome> {
  const result = outcome()
  const ids = await idsOfKeys(tx, run, rows)
  const keys = rows.flatMap(({ body, source_id }) => {
    const id = ids.get(source_id)
    const isOwn = body.source === run.row.source && body.source_workspace === run.row.workspace
    if (id !== undefined && !isOwn)
      return [
        {
          source: body.source,
          workspace: body.source_workspace,
          kind: body.kind,
          source_id: body.source_id,
          id,
        },
      ]
    result.skipped.push(remark('skipped', 'import_key', 'is of something that is not here', source_id))
    return []
  })
  result.written = await insertForeignKeys(tx, run.row.id, keys)
  result.merged = keys.length - result.written
  return result
}

export const importKeys = phase('import_key', 5000, writeImportKeys)
