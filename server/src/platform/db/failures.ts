interface DatabaseError {
  code?: string
  syscall?: string
}

/** The database is down, starting up, or out of connections. */
const CONNECTION_LOST = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '08006',
  '08001',
  '53300',
  // A former primary that is a standby now.
  '25006',
])

const DISK_FULL = new Set(['53100', 'ENOSPC', 'EDQUOT'])

/** Whether a disk is full: that of the database, or the one that files are kept on. */
export function isDiskFull(error: Error & DatabaseError): boolean {
  return DISK_FULL.has(error.code ?? '')
}

/** Whether the connection failed, so that the same statement may succeed after a retry. */
export function isConnectionLost(error: Error & DatabaseError): boolean {
  // The socket of a database that is not running; of any other file it says nothing about the database.
  if (error.code === 'ENOENT') return error.syscall === 'connect'
  if (error.code && CONNECTION_LOST.has(error.code)) return true
  return /Connection terminated|timeout exceeded when trying to connect/.test(error.message)
}

/** Whether a named statement selects other columns than when it was prepared: a table was widened since. */
export function isPlanOutdated(error: unknown): boolean {
  const { code, message = '' } = error as DatabaseError & { message?: string }
  return code === '0A000' && message.includes('cached plan')
}

/** No space, an I/O error, a lock that another transaction holds, a deadlock. */
const TRANSIENT = /^(53|58|40|55P03)/

/** Whether an error is the database's condition and not a fault of what was being written. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as DatabaseError
  return isConnectionLost(error) || isPlanOutdated(error) || (code !== undefined && TRANSIENT.test(code))
}

/** Whether a statement was ended because it took longer than it may. */
export function isTimedOut(error: unknown): boolean {
  return error instanceof Error && (error as DatabaseError).code === '57014'
}
