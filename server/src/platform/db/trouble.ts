interface DatabaseError {
  code?: string
}

/** The database is away, just coming back, or out of connections. */
const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  '08006',
  '08001',
  '53300',
])

const FULL = new Set(['53100', 'ENOSPC', 'EDQUOT'])

/** Whether a disk is full: that of the database, or the one that files are kept on. */
export function isFull(error: Error & DatabaseError): boolean {
  return FULL.has(error.code ?? '')
}

/** Whether the same statement may well succeed in a moment. */
export function isAway(error: Error & DatabaseError): boolean {
  if (error.code && AWAY.has(error.code)) return true
  return /Connection terminated|timeout exceeded when trying to connect/.test(error.message)
}

/** No space, an I/O error, a lock that another transaction holds, a deadlock. */
const PASSING = /^(53|58|40|55P03)/

/** Whether an error says something about the database and nothing about what was being written. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as DatabaseError
  return isAway(error) || (code !== undefined && PASSING.test(code))
}

/** Whether a statement was ended because it took longer than it may. */
export function isTimedOut(error: unknown): boolean {
  return error instanceof Error && (error as DatabaseError).code === '57014'
}
