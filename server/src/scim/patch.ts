import {
  ScimError as LibraryError,
  patchBodyValidation,
  type ScimPatchOperation,
  type ScimResource,
  scimPatch,
} from 'scim-patch'
import { ScimError } from './error.js'

/** Names with which a path would leave the resource. */
const FORBIDDEN = /(^|[.[":\s])(__proto__|constructor|prototype)($|[.\]":\s])/

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)])
}

interface Operation {
  op: string
  path?: string
  value?: unknown
}

function checked(body: unknown): Operation[] {
  try {
    patchBodyValidation(body as never)
  } catch (error) {
    throw new ScimError(400, (error as Error).message, 'invalidSyntax')
  }
  const { Operations } = body as { Operations: Operation[] }
  for (const { path = '', value } of Operations)
    if ([path, ...namesIn(value)].some((name) => FORBIDDEN.test(name)))
      throw new ScimError(400, 'the path leaves the resource', 'invalidPath')
  return Operations
}

/** Members are known by their values alone: providers send names and addresses beside them, or do not. */
function bareMembers(operation: Operation): Operation {
  const bare = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map((item) =>
          typeof item === 'object' && item !== null ? { value: String(item.value) } : { value: String(item) },
        )
      : value
  if (/^members$/i.test(operation.path ?? ''))
    return { ...operation, path: 'members', value: bare([operation.value ?? []].flat()) }
  const { value } = operation
  if (operation.path || typeof value !== 'object' || value === null || !('members' in value)) return operation
  return { ...operation, value: { ...value, members: bare(value.members) } }
}

function isRemovingAll({ op, path, value }: Operation): boolean {
  return (
    /^remove$/i.test(op) &&
    /^members$/i.test(path ?? '') &&
    (value === undefined || (Array.isArray(value) && value.length === 0))
  )
}

/** The resource after a PATCH (RFC 7644, 3.5.2). */
export function applyPatch<T extends object>(resource: T, body: unknown): Record<string, unknown> {
  const operations = checked(body).map((operation) =>
    isRemovingAll(operation)
      ? { op: 'remove', path: 'members' }
      : bareMembers({ ...operation, op: operation.op.toLowerCase() }),
  )
  try {
    const options = { mutateDocument: false, treatMissingAsAdd: true }
    return scimPatch(
      resource as unknown as ScimResource,
      operations as ScimPatchOperation[],
      options,
    ) as never
  } catch (error) {
    if (error instanceof LibraryError)
      throw new ScimError(400, error.message, (error.scimCode || 'invalidPath') as never)
    throw error
  }
}
