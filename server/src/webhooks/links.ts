import { domainToASCII } from 'node:url'

/** The configured domain that an address lies on, itself or as a subdomain. */
export function domainOf(link: string, domains: readonly string[]): string | undefined {
  const host = new URL(link).hostname.toLowerCase().replace(/\.$/, '')
  return domains.find((domain) => {
    const name = domainToASCII(domain)
    return name !== '' && (host === name || host.endsWith(`.${name}`))
  })
}
