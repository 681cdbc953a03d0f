import {
  type CustomPropertyDefinition,
  type CustomPropertyEntity,
  customPropertyCreated,
  customPropertyDeleted,
  customPropertyUpdated,
} from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { BLANK } from '../platform/http/fault-text.js'
import { found, Problem } from '../platform/problem.js'
import { deleteDefinition, insertDefinition, lockDefinition, renameDefinition } from './queries.js'

interface NewDefinition {
  entity_type: CustomPropertyEntity
  name: string
  data_type: CustomPropertyDefinition['data_type']
}

function cleanName(name: string): string {
  const clean = name.trim()
  if (clean === '') throw new Problem(422, 'blank', { key: 'name', value: name, message: BLANK })
  return clean
}

export function defineProperty(ctx: Context, actor: Actor, input: NewDefinition) {
  return transaction(ctx, async (tx) => {
    const { entity_type, data_type } = input
    const definition = await insertDefinition(tx, ctx, {
      entity_type,
      data_type,
      name: cleanName(input.name),
    })
    await emit(tx, ctx, actor, customPropertyCreated, { id: definition.id })
    return definition
  })
}

export function renameProperty(ctx: Context, actor: Actor, id: number, given: string) {
  const name = cleanName(given)
  return transaction(ctx, async (tx) => {
    const before = found(await lockDefinition(tx, id), { key: 'id', value: id })
    if (before.name === name) return before
    await renameDefinition(tx, id, name)
    await emit(tx, ctx, actor, customPropertyUpdated, { id })
    return { ...before, name }
  })
}

/** The values go with the field. */
export function deleteProperty(ctx: Context, actor: Actor, id: number) {
  return transaction(ctx, async (tx) => {
    found(await deleteDefinition(tx, id), { key: 'id', value: id })
    await emit(tx, ctx, actor, customPropertyDeleted, { id })
  })
}
