import {
  type ApiErrorItem,
  ERROR_MESSAGES,
  OPERATIONS,
  type Operation,
  problemCodes,
  problemStatuses,
} from '@parley/contract'
import { Ajv } from 'ajv'
import type { FastifyInstance } from 'fastify'
import { PLAIN_CODES } from '../platform/problem.js'

// Optimizing the code of a check takes longer than a run of tests gains by it.
const code = { optimize: false }
const ajv = new Ajv({ strict: false, allowUnionTypes: true, validateFormats: false, code })
const byId = new Map(OPERATIONS.map((operation) => [operation.id, operation]))

/** Lines of an API error; none where the refusal is plain text, a page, a redirect or an OAuth error. */
function itemsIn(payload: unknown): ApiErrorItem[] {
  if (typeof payload !== 'string' || !payload.startsWith('{"errors":')) return []
  return JSON.parse(payload).errors
}

/** Codes with the same text for every rule: what they say is of no use without the rule. */
const TOLD = Object.entries(ERROR_MESSAGES).filter(
  ([code]) => code === 'not_found' || !(PLAIN_CODES as readonly string[]).includes(code),
)
const BARE = new Map(TOLD)

function refusalFault(operation: Operation, status: number, payload: unknown): string | undefined {
  if (!problemStatuses(operation).includes(status)) return `status ${status} is not declared`
  if (operation.neverAnswered?.includes(status)) return `status ${status} is declared as never answered`
  const declared: readonly string[] = problemCodes(operation, status)
  const items = itemsIn(payload)
  const undeclared = items.filter(({ code }) => !declared.includes(code))
  if (undeclared.length > 0)
    return `${undeclared.map(({ code }) => code).join(', ')} at ${status} is not declared`
  const bare = items.find(({ code, message }) => BARE.get(code) === message)
  return bare && `${bare.code} of ${bare.key} does not say which rule: ${bare.message}`
}

function faultIn(operation: Operation, status: number, payload: unknown): string | undefined {
  const { returns } = operation
  // Any operation may meet a database that is away, or a disk that is full.
  if (status === 503) return undefined
  if (status !== returns.status) return refusalFault(operation, status, payload)
  if (!returns.body || typeof payload !== 'string') return undefined
  const answer = JSON.parse(payload)
  if (returns.variant && ajv.compile(returns.variant)(answer)) return undefined
  const validate = ajv.compile(returns.body)
  return validate(answer) ? undefined : ajv.errorsText(validate.errors)
}

/** In tests every answer is held against its operation: a status, a code or a shape that it does not declare is a failure. */
export function checkAnswers(app: FastifyInstance) {
  app.addHook('onSend', async (request, reply, payload) => {
    const id = (request.routeOptions.config as { operation?: string }).operation
    const operation = id ? byId.get(id) : undefined
    const fault = operation && faultIn(operation, reply.statusCode, payload)
    if (!fault) return payload
    reply.status(599)
    return JSON.stringify({
      errors: [{ key: 'answer', code: 'undeclared', message: `${id}: ${fault}`, was: payload }],
    })
  })
}
