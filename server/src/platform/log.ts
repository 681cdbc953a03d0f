import { type Logger, pino } from 'pino'
import type { PrettyOptions } from 'pino-pretty'
import { SECRET_FIELDS } from './secret-fields.js'

export type Log = Logger

/** At the top of a line and one level below. */
const REDACT = { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]), censor: '[hidden]' }

/** The fields of `request answered`; on a terminal they are columns. */
interface RequestLine {
  method?: string
  path?: string
  status?: number
  ms?: number
  caller?: string
}

const COLUMNS = 'method,path,operation,status,ms,caller,address'

function inColumns({ method = '', path, status, ms = 0, caller }: RequestLine): string {
  const took = `${Math.round(ms)} ms`.padStart(7)
  return `${method.padEnd(6)} ${status} ${took}  ${path}  ${caller}`
}

const PRETTY: PrettyOptions = {
  translateTime: 'SYS:HH:MM:ss.l',
  ignore: COLUMNS,
  singleLine: true,
  messageFormat: (line, key) => (line.method ? inColumns(line) : String(line[key] ?? '')),
}

export interface LogOptions {
  level: string
  /** Lines for people or for programs; `auto` asks whether a terminal shows them. */
  format: 'auto' | 'pretty' | 'json'
  /** Standard error, unless a test reads along. */
  destination?: NodeJS.WritableStream & { isTTY?: boolean }
}

/** Lines on standard error, with secrets left out: readable on a terminal, JSON elsewhere. */
export async function openLog({ level, format, destination }: LogOptions): Promise<Log> {
  const terminal = (destination ?? process.stderr).isTTY === true
  const options = { level, base: undefined, redact: REDACT }
  if (format === 'json' || (format === 'auto' && !terminal))
    return pino(options, destination ?? pino.destination({ fd: 2, sync: false }))
  // Loaded only where somebody looks.
  const { default: pretty, isColorSupported } = await import('pino-pretty')
  const colorize = terminal && isColorSupported
  return pino(options, pretty({ ...PRETTY, colorize, destination: destination ?? 2 }))
}
