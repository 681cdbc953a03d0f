/** One fault of a refused request. */
export interface Fault {
  /** The field at fault; `base` when it is no field. */
  key: string
  value: string | null
  message: string
  code: string
  payload: unknown
}

interface RefusalBody {
  errors?: Fault[]
  error?: string
  error_description?: string
}

/** A refusal by the server. Branch on the class, on `status` or on `code`; the text is for people. */
export class ApiFailure extends Error {
  override readonly name: string = 'ApiFailure'
  readonly code: string
  readonly errors: Fault[]

  constructor(
    readonly status: number,
    readonly body: unknown,
    readonly headers: Headers,
  ) {
    const {
      errors = [],
      error,
      error_description,
    } = (typeof body === 'object' && body ? body : {}) as RefusalBody
    const code = errors[0]?.code ?? error ?? (status === 429 ? 'rate_limit' : 'unknown')
    const told = errors.map((item) => `${item.key} ${item.message}`).join('; ')
    super(`${status} ${code}: ${told || error_description || body}`)
    this.code = code
    this.errors = errors
  }

  get retry_after_s(): number | null {
    const header = this.headers.get('retry-after')
    return header === null ? null : Number(header)
  }

  get request_id(): string | null {
    return this.headers.get('x-request-id')
  }
}

/** 400, 413, 415: the request cannot be read, or a parameter is wrong. */
export class BadRequest extends ApiFailure {
  override readonly name = 'BadRequest'
}
/** 401: no token, or one that is wrong or revoked. */
export class Unauthorized extends ApiFailure {
  override readonly name = 'Unauthorized'
}
/** 402: the workspace is suspended. */
export class Suspended extends ApiFailure {
  override readonly name = 'Suspended'
}
/** 403: the token lacks the scope, or a rule refuses. */
export class Forbidden extends ApiFailure {
  override readonly name = 'Forbidden'
}
/** 404: nothing there that the caller may see. */
export class NotFound extends ApiFailure {
  override readonly name = 'NotFound'
}
/** 409: against the present state, or an Idempotency-Key that was used for another body. */
export class Conflict extends ApiFailure {
  override readonly name = 'Conflict'
}
/** 410: a trigger, form or file that no longer works. */
export class Gone extends ApiFailure {
  override readonly name = 'Gone'
}
/** 422: readable, but against the rules; `errors` names each field. */
export class Invalid extends ApiFailure {
  override readonly name = 'Invalid'
}
/** 429: over a limit; `retry_after_s` says how long. */
export class RateLimited extends ApiFailure {
  override readonly name = 'RateLimited'
}
/** 5xx: the server failed or is not ready. */
export class ServerFailure extends ApiFailure {
  override readonly name = 'ServerFailure'
}

/** No answer came: the network failed, or the time was over. */
export class ConnectionFailure extends Error {
  override readonly name = 'ConnectionFailure'
}

/** A webhook that was not signed with the secret, or too long ago. */
export class InvalidSignature extends Error {
  override readonly name = 'InvalidSignature'
}

const BY_STATUS: Record<number, typeof ApiFailure> = {
  400: BadRequest,
  401: Unauthorized,
  402: Suspended,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  410: Gone,
  413: BadRequest,
  415: BadRequest,
  422: Invalid,
  429: RateLimited,
}

/** The failure under the name of its status. */
export function failureOf(status: number, body: unknown, headers: Headers): ApiFailure {
  const Named = BY_STATUS[status] ?? (status >= 500 ? ServerFailure : ApiFailure)
  return new Named(status, body, headers)
}
