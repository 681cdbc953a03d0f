import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

function rangeOf(entry: string): Range | undefined {
  // The library also reads short forms such as `1`, which nobody means as an address.
  if (isIP(entry.split('/')[0] ?? '') === 0) return undefined
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry)
  if (!ipaddr.isValid(entry)) return undefined
  const address = ipaddr.process(entry)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** One address, or a range of them in CIDR form. */
export function isAddressRange(entry: string): boolean {
  return rangeOf(entry) !== undefined
}

/** Whether an address is one of those listed; IPv4 written as IPv6 counts as the IPv4 that it is. */
export function isInside(perimeter: readonly string[], ip_address: string | null): boolean {
  if (ip_address === null || !ipaddr.isValid(ip_address)) return false
  const address = ipaddr.process(ip_address)
  return perimeter.some((entry) => {
    const range = rangeOf(entry)
    return range !== undefined && range[0].kind() === address.kind() && address.match(range as never)
  })
}
