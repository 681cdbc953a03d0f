import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3')
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** Reads an address as the network sees it: an IPv4-mapped IPv6 address is the IPv4 address. */
export function parseAddress(text: string): Address | undefined {
  if (!ipaddr.isValid(text)) return undefined
  return ipaddr.process(text)
}

/** `public` for an address of the open internet, else the name of the range that it belongs to. */
export function rangeOf(address: Address): string {
  if (address instanceof ipaddr.IPv4) return named(address.range())

  const embedded = embeddedV4(address)
  if (embedded) {
    const range = rangeOf(embedded)
    return range === 'public' ? range : `embedded ${range}`
  }
  const range = named(address.range())
  // Unassigned ranges, such as the IPv4-compatible ::/96, are not global unicast.
  return range === 'public' && !address.match(GLOBAL_UNICAST_V6) ? 'reserved' : range
}

function named(range: string) {
  return range === 'unicast' ? 'public' : range
}

/** The IPv4 address that a NAT64 gateway or a 6to4 relay would pass the traffic on to. */
function embeddedV4(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = address.toByteArray()
  if (address.match(NAT64)) return new ipaddr.IPv4(bytes.slice(12, 16))
  if (address.range() === '6to4') return new ipaddr.IPv4(bytes.slice(2, 6))
  return undefined
}
