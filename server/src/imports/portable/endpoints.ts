import { remark } from '@parley/imports'
import type { Tx } from '../../platform/db/index.js'
import { newKey } from '../../webhooks/endpoints/keys.js'
import { insertPortableEndpoints } from '../../webhooks/endpoints/portable-queries.js'
import { type Outcome, outcome, type Run } from '../run-state.js'
import { chatId, personId, phase, type Rows } from './phase.js'

/** Endpoints of bots with keys of this server. Nothing is sent to those whose address is not in the file. */
async function writeEndpoints(tx: Tx, run: Run, rows: Rows<'endpoint'>): Promise<Outcome> {
  const result = outcome()
  const known = rows.flatMap(({ body, source_id }) => {
    const bot_id = personId(run, body.bot_id)
    if (bot_id !== undefined) return [{ ...body, bot_id }]
    result.skipped.push(remark('skipped', 'endpoint', 'is of a chat or somebody unknown', source_id))
    return []
  })
  result.written = await insertPortableEndpoints(
    tx,
    known.map(({ bot_id, name, url, events, chat_ids, trigger, signature, disabled, created_at }) => ({
      ...{ bot_id, name, url: url ?? '', events, trigger, disabled, created_at: new Date(created_at) },
      chat_ids: chat_ids?.flatMap((id) => chatId(run, id) ?? []) ?? null,
      ...newKey(run.ctx.secret, bot_id, signature).columns,
    })),
  )
  result.merged = known.length - result.written
  return result
}

export const endpoints = phase('endpoint', 500, writeEndpoints)
