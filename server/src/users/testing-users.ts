import type { World } from '../testing/world.js'

export const inviting = (user: Record<string, unknown> & { email: string }, skip_email_notify = true) => ({
  body: { user, skip_email_notify } as never,
})

export async function audit(ctx: World['ctx'], event_key: string) {
  const rows = await ctx.db
    .selectFrom('audit_events')
    .selectAll()
    .where('event_key', '=', event_key)
    .orderBy('sequence')
    .execute()
  return rows.map(({ actor_id, entity_type, entity_id, details }) => ({
    actor_id,
    entity_type,
    entity_id,
    details,
  }))
}
