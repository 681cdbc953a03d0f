import { createServer } from 'node:net'
import type { FirstStart } from './accounts/bootstrap.js'
import type { Config } from './platform/config.js'

/** Why the server could not start, in a sentence with what to do. Holds the login where one was just made. */
export class StartError extends Error {
  constructor(
    message: string,
    override readonly cause: unknown,
    readonly firstStart?: FirstStart,
  ) {
    super(message)
  }
}

type Fault = { code?: string; message?: string; path?: string }

const DATABASE_FAULTS = /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|28\w{3}|3D000)$/

function explainPort(code: string | undefined, { host, port }: Config): string | undefined {
  if (code === 'EADDRINUSE')
    return `Port ${port} of ${host} is in use: stop the program that listens there, or set PORT to another.`
  if (code === 'EACCES') return `Port ${port} needs more rights: set PORT to one above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `HOST ${host} is not an address of this machine.`
  return undefined
}

function explain({ code, message = '' }: Fault, config: Config): string | undefined {
  const folder = config.data_dir
  if (code === 'ENOSPC' || /No space left on device/i.test(message))
    return `The disk of ${folder} is full: free some space, or set PARLEY_DATA_DIR to another folder.`
  if (config.database_url && DATABASE_FAULTS.test(code ?? ''))
    return `The database does not take the connection (${message || code}): check DATABASE_URL.`
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `The data folder ${folder} cannot be written (${message}): give this account the right, or set PARLEY_DATA_DIR to another folder.`
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return `The data folder ${folder} is not a folder: set PARLEY_DATA_DIR to another.`
  return undefined
}

/** The error as an operator reads it: ordinary faults of a machine in one sentence, ours as they are. */
export function startError(error: unknown, config: Config, firstStart?: FirstStart): unknown {
  if (error instanceof StartError) return error
  const sentence = explain(error as Fault, config)
  if (!sentence && !firstStart) return error
  return new StartError(sentence ?? (error as Error).message, error, firstStart)
}

/** Finds out whether the port can be had before anything is made in the data folder. */
export async function tryPort(config: Config): Promise<void> {
  if (config.port === 0 || config.run === 'worker') return
  const probe = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject)
      probe.listen({ host: config.host, port: config.port }, resolve)
    })
  } catch (error) {
    const sentence = explainPort((error as Fault).code, config)
    throw sentence ? new StartError(sentence, error) : error
  } finally {
    await new Promise((resolve) => probe.close(resolve))
  }
}
