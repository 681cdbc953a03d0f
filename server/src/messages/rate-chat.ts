import type { Actor } from '../platform/actor.js'
import type { Facts } from './chat-facts.js'
import type { Entity } from './target.js'

const TYPES = new Set(['discussion', 'thread', 'user'])

/** The chat a body speaks of, which is not checked yet. */
function entityIn(body: unknown): Entity | undefined {
  const message = (body as { message?: { entity_type?: unknown; entity_id?: unknown } }).message
  if (typeof message !== 'object' || message === null) return undefined
  const { entity_type = 'discussion', entity_id } = message
  if (!TYPES.has(entity_type as string) || !Number.isSafeInteger(entity_id)) return undefined
  return { entity_type, entity_id } as Entity
}

/** Which chat a message write is counted in, before its input is checked. */
export function createRateChats(facts: Facts) {
  return {
    async ofNewMessage({ actor, body }: { actor: Actor; body: unknown }): Promise<number | string> {
      const entity = entityIn(body)
      if (!entity) return 'none'
      if (entity.entity_type === 'discussion') return entity.entity_id
      const chat = await facts.ofEntity(entity, actor.user_id)
      return chat?.id ?? `${entity.entity_type}:${entity.entity_id}`
    },
    async ofMessage({ params }: { params: Record<string, string> }): Promise<number | string> {
      const id = Number(params.id)
      const chat = Number.isSafeInteger(id) ? await facts.chatOfMessage(id) : undefined
      return chat ?? 'none'
    },
  }
}
