export type OutboundErrorKind =
  | 'refused_target'
  | 'invalid_url'
  | 'dns'
  | 'connect'
  | 'timeout'
  | 'reset'
  | 'tls'
  | 'protocol'

export class OutboundError extends Error {
  readonly kind: OutboundErrorKind

  constructor(kind: OutboundErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OutboundError'
    this.kind = kind
  }
}

const CONNECT_CODES = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
  'EINVAL',
])
const TIMEOUT_CODES = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT'])
const RESET_CODES = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'UND_ERR_SOCKET',
  'UND_ERR_DESTROYED',
  'UND_ERR_CLOSED',
])
const TLS_CODE =
  /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|EPROTO|INVALID_)/

/** Names what went wrong on the wire in one of the kinds callers branch on. */
export function toOutboundError(cause: Error): OutboundError {
  if (cause instanceof OutboundError) return cause
  const code = String((cause as NodeJS.ErrnoException).code ?? '')
  return new OutboundError(kindOf(code), cause.message || code, { cause })
}

function kindOf(code: string): OutboundErrorKind {
  if (CONNECT_CODES.has(code)) return 'connect'
  if (TIMEOUT_CODES.has(code)) return 'timeout'
  if (RESET_CODES.has(code)) return 'reset'
  if (TLS_CODE.test(code)) return 'tls'
  return 'protocol'
}
