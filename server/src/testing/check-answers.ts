import { OPERATIONS, type Operation, problemCodes, problemStatuses } from '@parley/contract'
import { Ajv } from 'ajv'
import type { FastifyInstance } from 'fastify'

const ajv = new Ajv({ strict: false, allowUnionTypes: true, validateFormats: false })
const byId = new Map(OPERATIONS.map((operation) => [operation.id, operation]))

/** Codes of an API error; none where the refusal is plain text, a page, a redirect or an OAuth error. */
function codesIn(payload: unknown): string[] {
  if (typeof payload !== 'string' || !payload.startsWith('{"errors":')) return []
  return JSON.parse(payload).errors.map(({ code }: { code: string }) => code)
}

function refusalFault(operation: Operation, status: number, payload: unknown): string | undefined {
  if (!problemStatuses(operation).includes(status)) return `status ${status} is not declared`
  if (operation.neverAnswered?.includes(status)) return `status ${status} is declared as never answered`
  const declared: readonly string[] = problemCodes(operation, status)
  const undeclared = codesIn(payload).filter((code) => !declared.includes(code))
  return undeclared.length > 0 ? `${undeclared.join(', ')} at ${status} is not declared` : undefined
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
