import {
  ScimError as LibraryError,
  PATCH_OPERATION_SCHEMA,
  patchBodyValidation,
  type ScimPatchOperation,
  type ScimResource,
  scimPatch,
} from 'scim-patch'
import { ScimError } from './error.js'
import { lowerKeys, lowerNames } from './names.js'

/** Names with which a path would leave the resource. */
const FORBIDDEN = /(^|[.[":\s])(__proto__|constructor|prototype)($|[.\]":\s])/i

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)])
}

/** Paths are split by a pattern that takes time by the square of their length. */
const LONGEST_PATH = 1000

interface Operation {
  op: string
  path?: string
  value?: unknown
}

/** A kind of mail or phone in a filter of a path; kinds have no case. */
const KIND = /\btype eq "[^"]*"/g

/** The operations with all names in small letters, as those of the resource are. */
function operationsOf(body: unknown): Operation[] {
  const { schemas, operations } = Object(lowerKeys(body)) as { schemas?: unknown; operations?: unknown }
  try {
    const known = [schemas].flat().map((schema) => (sameSchema(schema) ? PATCH_OPERATION_SCHEMA : schema))
    patchBodyValidation({ schemas: known, Operations: operations } as never)
  } catch (error) {
    throw new ScimError(400, (error as Error).message, 'invalidSyntax')
  }
  return (operations as Operation[]).map(({ op, path, ...rest }) => ({
    ...rest,
    op: op.toLowerCase(),
    ...(path && { path: lowerNames(path).replaceAll(KIND, (kind) => kind.toLowerCase()) }),
  }))
}

const sameSchema = (schema: unknown) => String(schema).toLowerCase() === PATCH_OPERATION_SCHEMA.toLowerCase()

function checked(body: unknown): Operation[] {
  const operations = operationsOf(body)
  for (const { path = '', value } of operations) {
    const names = [path, ...namesIn(value)]
    if (names.some((name) => name.length > LONGEST_PATH))
      throw new ScimError(400, `a path has at most ${LONGEST_PATH} characters`, 'invalidPath')
    if (names.some((name) => FORBIDDEN.test(name)))
      throw new ScimError(400, 'the path leaves the resource', 'invalidPath')
  }
  return operations
}

/** Members are known by their values alone: providers send names and addresses beside them, or do not. */
function bareMembers(operation: Operation): Operation {
  const bare = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map((item) =>
          typeof item === 'object' && item !== null ? { value: String(item.value) } : { value: String(item) },
        )
      : value
  if (operation.path === 'members') return { ...operation, value: bare([operation.value ?? []].flat()) }
  const { value } = operation
  if (operation.path || typeof value !== 'object' || value === null || !('members' in value)) return operation
  return { ...operation, value: { ...value, members: bare(value.members) } }
}

function isRemovingAll({ op, path, value }: Operation): boolean {
  return (
    op === 'remove' &&
    path === 'members' &&
    (value === undefined || (Array.isArray(value) && value.length === 0))
  )
}

interface Member {
  value: string
}

/** The members after some came or went. The library compares each with each, which takes seconds for ten thousand. */
function movedMembers(op: string, members: readonly Member[], moved: readonly Member[]): Member[] {
  const all = new Map(members.map((member) => [member.value, member]))
  for (const member of moved) op === 'add' ? all.set(member.value, member) : all.delete(member.value)
  return [...all.values()]
}

/** Members that come or go by their ids, put together where several operations follow each other. */
function movesOf(operations: readonly Operation[]): Operation[] {
  const merged: Operation[] = []
  for (const operation of operations) {
    const last = merged.at(-1)
    if (last && isMove(last) && isMove(operation) && last.op === operation.op)
      (last.value as Member[]).push(...operation.value)
    else merged.push(operation)
  }
  return merged
}

const isMove = (operation: Operation): operation is Operation & { value: Member[] } =>
  operation.path === 'members' &&
  (operation.op === 'add' || operation.op === 'remove') &&
  Array.isArray(operation.value)

function applyOne<T extends object>(resource: T, operation: Operation): T {
  const { members } = resource as { members?: Member[] }
  if (members && isMove(operation))
    return { ...resource, members: movedMembers(operation.op, members, operation.value) }
  const options = { mutateDocument: true, treatMissingAsAdd: true }
  return scimPatch(resource as unknown as ScimResource, [operation as ScimPatchOperation], options) as never
}

/** The resource after a PATCH (RFC 7644, 3.5.2), with its names in small letters. */
export function applyPatch<T extends object>(resource: T, body: unknown): Record<string, unknown> {
  const operations = checked(body).map((operation) =>
    isRemovingAll(operation) ? { op: 'remove', path: 'members' } : bareMembers(operation),
  )
  try {
    return movesOf(operations).reduce(applyOne, lowerKeys(resource) as T) as Record<string, unknown>
  } catch (error) {
    if (error instanceof LibraryError)
      throw new ScimError(400, error.message, (error.scimCode || 'invalidPath') as never)
    // The library goes into texts and nulls as if they were objects.
    if (error instanceof TypeError)
      throw new ScimError(400, 'an operation does not fit the resource', 'invalidPath')
    // Its reader of filters has no errors of its own.
    if ((error as Error).constructor === Error)
      throw new ScimError(400, `a path cannot be read: ${(error as Error).message}`, 'invalidPath')
    throw error
  }
}
