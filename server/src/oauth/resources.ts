import type { Resource } from '../platform/actor.js'
import type { Config } from '../platform/config.js'

const withoutSlash = (address: string) => address.replace(/\/$/, '')

/** Addresses that a token can be asked for (RFC 8707), as RFC 9728 publishes them. */
export function addressOf({ public_url }: Pick<Config, 'public_url'>, resource: Resource): string {
  return resource === 'mcp' ? `${public_url}/mcp` : public_url
}

/** What an address stands for; undefined where it is none of this server. */
export function resourceAt(
  config: Pick<Config, 'public_url' | 'api_prefixes'>,
  address: string,
): Resource | undefined {
  const wanted = withoutSlash(address)
  if (wanted === addressOf(config, 'mcp')) return 'mcp'
  const ofApi = ['', ...config.api_prefixes].map((prefix) => withoutSlash(config.public_url) + prefix)
  return ofApi.includes(wanted) ? 'api' : undefined
}
