import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'

export interface ResolvedAddress {
  address: string
  family: number
}

export type Resolve = (host: string) => Promise<ResolvedAddress[]>

const TRY_MS = 2_000
const HOSTS_FILE = '/etc/hosts'

/**
 * Resolves names of the open internet by asking the name servers directly, and the machine's own names (its hosts
 * file, single words, search domains) as the system does. The system's way alone would not do: it works in a
 * thread pool, where two names whose servers never answer hold up every other one.
 */
export function createResolve(options: { servers?: string[]; try_ms?: number } = {}): Resolve {
  const open = () => {
    const resolver = new Resolver({ timeout: options.try_ms ?? TRY_MS, tries: 2 })
    if (options.servers) resolver.setServers(options.servers)
    return resolver
  }
  let resolver = open()

  return async (host) => {
    if (process.platform !== 'linux' || (await isOfThisMachine(host))) return bySystem(host)
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const addresses = answers.flatMap((answer, i) =>
      answer.status === 'fulfilled'
        ? answer.value.map((address) => ({ address, family: i === 0 ? 4 : 6 }))
        : [],
    )
    if (addresses.length > 0) return addresses

    const error = (answers[0] as PromiseRejectedResult).reason as NodeJS.ErrnoException
    if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') return bySystem(host)
    // The machine's name servers may have changed; a new resolver reads them again.
    resolver = open()
    throw error
  }
}

function bySystem(host: string) {
  return lookup(host, { all: true, verbatim: true })
}

async function isOfThisMachine(host: string): Promise<boolean> {
  const name = host.toLowerCase().replace(/\.$/, '')
  if (!name.includes('.') || /\.(local|localhost)$/.test(name)) return true
  const lines = (await readFile(HOSTS_FILE, 'utf8').catch(() => '')).toLowerCase().split('\n')
  return lines.some((line) => line.replace(/#.*/, '').split(/\s+/).slice(1).includes(name))
}
