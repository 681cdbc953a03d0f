/** What an address with several hosts may ask for; both mean the one that takes writes. */
const ATTRIBUTES = new Set(['read-write', 'primary'])

const PARTS = /^(\w+:\/\/(?:[^@/?]*@)?)([^/?]*)([^?]*)(?:\?(.*))?$/

/**
 * The addresses of an address that names several hosts, as `postgres://user@one:5432,two:5432/parley`; one that names
 * none or one host is given back as it is.
 */
export function hostsOf(url: string): string[] {
  const [, before = '', hosts = '', path = '', query = ''] = PARTS.exec(url) ?? []
  if (!hosts.includes(',')) return [url]
  const asked = new URLSearchParams(query)
  asked.delete('target_session_attrs')
  const rest = asked.size > 0 ? `?${asked}` : ''
  return hosts.split(',').map((host) => `${before}${host}${path}${rest}`)
}

/** Why an address of a database cannot be used; null where it can. */
export function hostsFault(url: string): string | null {
  const [, , hosts = '', , query = ''] = PARTS.exec(url) ?? []
  const attributes = new URLSearchParams(query).get('target_session_attrs')
  if (hosts.includes(',') && hosts.split(',').some((host) => host === '' || host.startsWith(':')))
    return 'names several hosts, and one of them is empty'
  if (attributes === null || ATTRIBUTES.has(attributes)) return null
  return `must ask for target_session_attrs=read-write, not ${attributes}`
}

/** A host and its port, for lines of the log: the rest of an address is secret. */
export function hostName(url: string): string {
  return PARTS.exec(url)?.[2] || 'socket'
}
