import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { parseAddress, rangeOf } from './address.js'
import { OutboundError } from './error.js'

export interface GuardOptions {
  /** CIDRs, single addresses or host names that may be reached although they are not public. */
  allow: string[]
  allowLoopback: boolean
}

export interface Guard {
  /** The parsed URL, or an OutboundError where its form or its literal address is refused. */
  url(text: string): URL
  /** Throws unless this host may be reached at this address. */
  address(host: string, address: string): void
}

/** Decides which targets may be reached; it looks nothing up. */
export function createGuard(options: GuardOptions): Guard {
  const { ranges, hosts } = readAllowList(options.allow)

  function address(host: string, text: string) {
    if (hosts.has(bare(host))) return
    const parsed = parseAddress(text)
    if (!parsed) throw new OutboundError('refused_target', `${text} is not an address`)

    const range = rangeOf(parsed)
    if (range === 'public') return
    if (range === 'loopback' && options.allowLoopback) return
    if (ranges.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match(base, bits))) return
    throw new OutboundError('refused_target', `${host} leads to a ${range} address`)
  }

  function url(text: string): URL {
    const parsed = readUrl(text)
    const host = hostOf(parsed)
    if (isIP(host)) address(host, host)
    else if (isLocalName(host)) address(host, '127.0.0.1')
    return parsed
  }

  return { url, address }
}

/** The host of a URL as a name or a bare address, without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

// The URL parser of the platform turns decimal, octal, hexadecimal and short IPv4 spellings into the dotted one
// and refuses zone ids, so that nothing after this line sees an address in disguise.
function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url) throw new OutboundError('invalid_url', 'not a URL')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('invalid_url', 'only http and https are supported')
  }
  if (url.username || url.password) throw new OutboundError('invalid_url', 'credentials are not allowed')
  return url
}

function isLocalName(host: string) {
  const name = bare(host)
  return name === 'localhost' || name.endsWith('.localhost')
}

function bare(host: string) {
  return host.toLowerCase().replace(/\.$/, '')
}

function readAllowList(allow: string[]) {
  const ranges: [ipaddr.IPv4 | ipaddr.IPv6, number][] = []
  const hosts = new Set<string>()
  for (const entry of allow) {
    if (entry.includes('/')) ranges.push(ipaddr.parseCIDR(entry))
    else if (isIP(entry)) ranges.push(wholeAddress(entry))
    else hosts.add(bare(entry))
  }
  return { ranges, hosts }
}

function wholeAddress(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
