import type { Tx } from '../../platform/db/index.js'

/** Marks the endpoint as paused; false where it is already, or takes nothing. */
export async function updateEndpointPaused(tx: Tx, id: number, paused_at: Date): Promise<boolean> {
  const paused = await tx
    .updateTable('endpoints')
    .set({ paused_at })
    .where('id', '=', id)
    .where('paused_at', 'is', null)
    .where('disabled', '=', false)
    .returning('id')
    .executeTakeFirst()
  return paused !== undefined
}

/** Ends the pause of an endpoint and counts its failures from zero. */
export async function updateEndpointResumed(tx: Tx, id: number) {
  await tx
    .updateTable('endpoints')
    .set({ paused_at: null, failures: 0, failing_since: null })
    .where('id', '=', id)
    .execute()
}

/** Disables the endpoint; false where it got another address meanwhile. */
export async function updateEndpointGone(tx: Tx, id: number, url: string): Promise<boolean> {
  const gone = await tx
    .updateTable('endpoints')
    .set({ disabled: true })
    .where('id', '=', id)
    .where('url', '=', url)
    .where('disabled', '=', false)
    .returning('id')
    .executeTakeFirst()
  return gone !== undefined
}

export async function findEndpointName(tx: Tx, id: number): Promise<string | undefined> {
  const row = await tx.selectFrom('endpoints').select('name').where('id', '=', id).executeTakeFirst()
  return row?.name
}
