import type { Tx } from '../platform/db/index.js'

/** Marks the webhook as paused; false where it is already, or where there is no address. */
export async function updatePaused(tx: Tx, botId: number, paused_at: Date): Promise<boolean> {
  const paused = await tx
    .updateTable('bots')
    .set({ paused_at })
    .where('user_id', '=', botId)
    .where('paused_at', 'is', null)
    .where('outgoing_url', '<>', '')
    .returning('user_id')
    .executeTakeFirst()
  return paused !== undefined
}

/** Ends the pause of a webhook and counts its failures from zero. */
export async function updateResumed(tx: Tx, botId: number) {
  await tx
    .updateTable('bots')
    .set({ paused_at: null, failures: 0, failing_since: null })
    .where('user_id', '=', botId)
    .execute()
}

/** Takes this address away; false where it was changed meanwhile. */
export async function deleteUrl(tx: Tx, botId: number, url: string): Promise<boolean> {
  const disabled = await tx
    .updateTable('bots')
    .set((eb) => ({ outgoing_url: '', version: eb('version', '+', 1) }))
    .where('user_id', '=', botId)
    .where('outgoing_url', '=', url)
    .returning('user_id')
    .executeTakeFirst()
  return disabled !== undefined
}

/** Keeps the last body that came to the inbound address. It locks the bot's row until the commit. */
export async function updateLastRequest(tx: Tx, botId: number, body: object, last_request_at: Date) {
  await tx
    .updateTable('bots')
    .set({ last_request: JSON.stringify(body), last_request_at })
    .where('user_id', '=', botId)
    .execute()
}
