import type { ErrorCode } from './errors.js'
import type { Operation } from './operation.js'

/** Whether a write can be tried without being done. What needs no token (sign-in, inbound webhooks) cannot. */
export function canDryRun({ method, roles, dryRun }: Operation): boolean {
  return method !== 'GET' && roles.length > 0 && dryRun !== false
}

const refusesDryRun = (operation: Operation) =>
  operation.method !== 'GET' && !operation.external && !canDryRun(operation)

/** Every refusal status an operation may answer with: its own and those all calls share. */
export function problemStatuses(operation: Operation): number[] {
  const own = Object.keys(operation.problems ?? {}).map(Number)
  const common = operation.roles.length > 0 ? [401, 402, 403, 429] : []
  const limited = operation.rate !== null && !operation.external ? [429] : []
  const writes = operation.method !== 'GET' && operation.roles.length > 0 ? [400, 409] : []
  const bodies = operation.body ? [400, 413] : []
  const queries = operation.query ? [400] : []
  const tries = refusesDryRun(operation) ? [422] : []
  const all = [
    ...own,
    ...(operation.neverAnswered ?? []),
    ...common,
    ...limited,
    ...writes,
    ...bodies,
    ...queries,
    ...tries,
  ]
  return [...new Set(all)].sort((a, b) => a - b)
}

/** What reading a request and checking it against its shapes finds, whichever operation it is for. */
const CHECKED: Record<number, readonly ErrorCode[]> = {
  400: ['required', 'invalid', 'inclusion', 'in', 'too_long', 'wrong_params'],
  404: ['not_found'],
  413: ['too_long'],
  503: ['service_unavailable'],
}

/** The same for bodies, whose faults are reported together with the most severe status. */
const BODIES: Record<number, readonly ErrorCode[]> = {
  400: ['blank'],
  422: ['blank', 'invalid', 'too_long'],
}

/** What admission answers to the holder of any token. */
const ADMITTED: Record<number, readonly ErrorCode[]> = {
  402: ['payment_required'],
  403: ['not_authorized', 'access_denied'],
}

/**
 * Every code that an operation may answer with at this status: its own and those that follow from its shapes. None where
 * the answer is no API error (redirects, plain text, pages, OAuth errors), or where the status is never answered.
 */
export function problemCodes(operation: Operation, status: number): ErrorCode[] {
  const own = operation.problems?.[status] ?? []
  if (status === 400 && operation.oauthErrors) return [...own]
  const common = [
    ...(CHECKED[status] ?? []),
    ...(operation.body ? (BODIES[status] ?? []) : []),
    ...(operation.roles.length > 0 ? (ADMITTED[status] ?? []) : []),
    ...(status === 409 && operation.method !== 'GET' && operation.roles.length > 0
      ? (['already_exists'] as const)
      : []),
    ...(status === 422 && refusesDryRun(operation) ? (['not_applicable'] as const) : []),
  ]
  return [...new Set([...own, ...common])]
}
