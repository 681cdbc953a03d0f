import { type Logger, pino } from 'pino'

export type Log = Logger

const SECRETS = [
  'authorization',
  'headers.authorization',
  'req.headers.authorization',
  'token',
  'access_token',
  'password',
  'signing_secret',
]

/** Structured lines on standard error, with secrets left out. */
export function openLog(level: string): Log {
  const stream = pino.destination({ fd: 2, sync: false })
  return pino({ level, base: undefined, redact: { paths: SECRETS, censor: '[hidden]' } }, stream)
}
