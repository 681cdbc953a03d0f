import { inputOf, OPERATIONS, type Operation, TOOLS, type Tool } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import { judge } from '../platform/http/admit.js'
import { confinesChats } from '../platform/http/leash.js'

const READS = (operation: Operation) => operation.method === 'GET'
const BY_ID = new Map(OPERATIONS.map((operation) => [operation.id, operation]))

/** Writing is off until the limits of a token say that it does not only read. */
export const mayWrite = ({ limits }: Actor) => limits?.read_only === false

function isOpen(actor: Actor, operation: Operation): boolean {
  try {
    judge(operation, actor)
  } catch {
    return false
  }
  const { limits } = actor
  if (limits && confinesChats(limits) && operation.confined === false) return false
  return limits?.operations?.includes(operation.id) ?? true
}

function isListed(actor: Actor, { operation }: Tool): boolean {
  if (operation.id === 'getTokenInfo') return true
  return isOpen(actor, operation) && (READS(operation) || mayWrite(actor))
}

/** Operations beyond the tools: those that the limits of the token name. */
export function namedOperations(actor: Actor): Operation[] {
  const named = actor.limits?.operations?.map((id) => BY_ID.get(id)) ?? []
  return named.filter(
    (operation): operation is Operation =>
      operation !== undefined && isOpen(actor, operation) && (READS(operation) || mayWrite(actor)),
  )
}

/** The tools that the token may use. */
export function toolsFor(actor: Actor): Tool[] {
  return TOOLS.filter((tool) => isListed(actor, tool))
}

/** The fixed text of a tool; nothing of the workspace is in it. */
function described({ name, operation, destructive }: Tool) {
  const { summary, description = '' } = operation
  const reads = READS(operation)
  return {
    name,
    description: [summary, description].filter(Boolean).join('. '),
    inputSchema: inputOf(operation),
    annotations: {
      readOnlyHint: reads,
      destructiveHint: destructive === true,
      idempotentHint: reads,
      openWorldHint: false,
    },
  }
}

const FIND = {
  name: 'find_operation',
  description: 'Operations that call_operation may call, with their input',
  inputSchema: { type: 'object' as const, properties: { query: { type: 'string' } } },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
}
const CALL = {
  name: 'call_operation',
  description: 'Calls an operation by its id',
  inputSchema: {
    type: 'object' as const,
    properties: { id: { type: 'string' }, input: { type: 'object' } },
    required: ['id'],
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
}

/** What tools/list answers, always in the same order. */
export function listTools(actor: Actor) {
  const more = namedOperations(actor).length > 0 ? [FIND, CALL] : []
  return [...toolsFor(actor).map(described), ...more]
}

/** The operations behind find_operation. */
export function findOperations(actor: Actor, query: unknown) {
  const words = String(query ?? '').toLowerCase()
  return namedOperations(actor)
    .filter(({ id, summary }) => `${id} ${summary}`.toLowerCase().includes(words))
    .map((operation) => ({ id: operation.id, summary: operation.summary, input: inputOf(operation) }))
}
