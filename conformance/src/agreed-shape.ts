import type { Operation } from '@parley/contract'
import type { TSchema } from 'typebox'
import type { Level } from './law.js'

/** Fields that Parley always sends and the agreed document does not have, with the operations whose answers hold them. */
const ADDED: readonly (readonly [field: string, operations: RegExp])[] = [
  ['description', /Chats?$/],
  ['system', /Messages?$/],
  ['done_at', /Tasks?$/],
  ['measured_width', /./],
  ['measured_height', /./],
  ['time_zone', /Drafts?$/],
  ['utc_offset', /Drafts?$/],
  ['total_is_exact', /./],
  ['has_next', /^search/],
  ['has_prev', /^search/],
  ['prev_page', /^search/],
]

function without(node: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(node)) return node.map((one) => without(one, names))
  if (typeof node !== 'object' || node === null) return node
  const copy = Object.entries(node).map(([key, value]) =>
    key === 'required' && Array.isArray(value)
      ? [key, value.filter((name) => !names.has(name))]
      : [key, without(value, names)],
  )
  return Object.fromEntries(copy)
}

const relaxed = new Map<string, TSchema>()

/** The shape that an answer is held to: at the level `agreed` the fields of Parley alone may be missing. */
export function shapeFor({ id, returns }: Operation, level: Level): TSchema | undefined {
  const names = new Set(ADDED.filter(([, operations]) => operations.test(id)).map(([field]) => field))
  if (level === 'additions' || !returns.body) return returns.body
  const shape = relaxed.get(id) ?? (without(returns.body, names) as TSchema)
  relaxed.set(id, shape)
  return shape
}
