import { createServer } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Config } from '../../platform/config.js'
import { fingerprintOf, WORKSPACE_HEADER } from '../../platform/http/fingerprint.js'
import { type Finding, finding, PATIENCE_MS, reasonOf } from './finding.js'

function canListen(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', resolve)
    probe.listen(port, host, () => probe.close(() => resolve(undefined)))
  })
}

type Who = 'this workspace' | 'another server' | 'unknown'

/** Who answers at an address; throws where nobody does. */
async function whoAnswers(url: string, secret: Buffer | null): Promise<Who> {
  const answer = await fetch(`${url}/livez`, { signal: AbortSignal.timeout(PATIENCE_MS) })
  await answer.body?.cancel()
  if (secret === null) return 'unknown'
  return answer.headers.get(WORKSPACE_HEADER) === fingerprintOf(secret) ? 'this workspace' : 'another server'
}

const local = ({ host, port }: Config) => `http://${host.includes(':') ? `[${host}]` : host}:${port}`

/** Whether the port can be had, or is had by the server of this workspace. */
async function checkPort(config: Config, secret: Buffer | null): Promise<Finding> {
  const place = `${config.host}:${config.port}`
  const error = await canListen(config.host, config.port)
  if (!error) return finding('port_free', { place })
  if (error.code === 'EACCES') return finding('port_forbidden', { place })
  if (error.code !== 'EADDRINUSE') return finding('port_unusable', { place, reason: reasonOf(error) })
  const who = await whoAnswers(local(config), secret).catch(() => 'another server')
  if (who === 'this workspace') return finding('port_ours', { place })
  return finding(who === 'unknown' ? 'port_unknown' : 'port_taken', { place })
}

/** A wildcard address such as 0.0.0.0 does not work in a link. */
function isUnspecified(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')
  return ipaddr.isValid(host) && ipaddr.parse(host).range() === 'unspecified'
}

/** Whether the public address leads to this very workspace. A server that does not run cannot be reached. */
async function checkPublicUrl(
  { public_url }: Config,
  secret: Buffer | null,
  runs: boolean,
): Promise<Finding> {
  const url = public_url
  if (isUnspecified(url)) return finding('url_unspecified', { url })
  try {
    const who = await whoAnswers(url, secret)
    if (who === 'this workspace') return finding('url_reaches_us', { url })
    return finding(who === 'unknown' ? 'url_unknown' : 'url_elsewhere', { url })
  } catch (error) {
    return runs ? finding('url_failed', { url, reason: reasonOf(error) }) : finding('url_not_tried', { url })
  }
}

/** Where the server listens, and where others find it. */
export async function checkAddresses(config: Config, secret: Buffer | null): Promise<Finding[]> {
  if (config.run === 'worker') return []
  const port = await checkPort(config, secret)
  return [port, await checkPublicUrl(config, secret, port.code === 'port_ours')]
}
