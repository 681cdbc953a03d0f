import { type Actor, actingFor } from '../platform/actor.js'
import { transaction } from '../platform/db/transaction.js'
import type { Person, World } from '../testing/world.js'
import { attachFiles, checkFiles, type FileInput, type FileTarget } from './attach.js'
import { loadFiles } from './present.js'

export const DAY_MS = 86_400_000

export const actorOf = (person: Person, ip_address: string | null = null): Actor => ({
  ...actingFor(person.id, 'user', 'corporation'),
  ip_address,
})

export function setUp({ ctx }: World) {
  const attach = async (actor: Actor, target: FileTarget, inputs: FileInput[]) => {
    const checked = await checkFiles(ctx, actor, inputs)
    return transaction(ctx, (tx) => attachFiles(tx, ctx, actor, target, checked))
  }
  const filesOf = async (message_id: number) => (await loadFiles(ctx, ctx.db, [message_id])).get(message_id)
  return { attach, filesOf, stored: (key: string) => ctx.storage.stat(key) }
}
