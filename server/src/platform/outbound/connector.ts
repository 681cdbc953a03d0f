import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { OutboundError } from './error.js'
import type { Guard } from './guard.js'
import type { Resolve, ResolvedAddress } from './resolve.js'

const CONNECT_TIMEOUT_MS = 10_000
/** How long one of several addresses may take before the next is tried in parallel. */
const NEXT_ADDRESS_AFTER_MS = 1_000

/**
 * Opens sockets for the pools: each new connection resolves once, checks every address, and connects to those
 * very addresses.
 */
export function createConnector(guard: Guard, resolve: Resolve, ca?: string): buildConnector.connector {
  const lookup: LookupFunction = (host, options, callback) => {
    resolveChecked(guard, resolve, host).then(
      (addresses) => {
        if (options.all) callback(null, addresses)
        else callback(null, addresses[0]!.address, addresses[0]!.family)
      },
      (error: Error) => callback(error, ''),
    )
  }
  const open = buildConnector({
    lookup,
    timeout: CONNECT_TIMEOUT_MS,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    ...(ca === undefined ? {} : { ca }),
  })

  return (options, callback) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1')
    // A literal address is connected to without a lookup, so it is checked here.
    if (isIP(host)) {
      try {
        guard.address(host, host)
      } catch (error) {
        callback(error as Error, null)
        return
      }
    }
    open({ ...options, hostname: host }, callback)
  }
}

async function resolveChecked(guard: Guard, resolve: Resolve, host: string): Promise<ResolvedAddress[]> {
  const addresses = await resolve(host).catch((cause: Error) => {
    throw new OutboundError('dns', `${host} could not be resolved`, { cause })
  })
  if (addresses.length === 0) throw new OutboundError('dns', `${host} has no address`)
  for (const { address } of addresses) guard.address(host, address)
  return addresses
}
