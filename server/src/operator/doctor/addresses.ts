import { createServer } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Config } from '../../platform/config.js'
import { fingerprintOf, WORKSPACE_HEADER } from '../../platform/http/fingerprint.js'
import { type Finding, PATIENCE_MS, reasonOf } from './finding.js'

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
async function checkPort(
  config: Config,
  secret: Buffer | null,
): Promise<{ finding: Finding; runs: boolean }> {
  const [check, place] = ['port', `${config.host}:${config.port}`]
  const error = await canListen(config.host, config.port)
  if (!error) return { finding: { check, state: 'ok', detail: `${place} is free.` }, runs: false }
  if (error.code === 'EADDRINUSE') {
    const who = await whoAnswers(local(config), secret).catch(() => 'another server')
    if (who === 'this workspace')
      return { finding: { check, state: 'ok', detail: `This workspace answers on ${place}.` }, runs: true }
    if (who === 'unknown') {
      const detail = `A server answers on ${place}; without the database it cannot be told which.`
      return { finding: { check, state: 'warning', detail }, runs: false }
    }
    const advice = 'Stop the program that listens there, or set PORT to another one.'
    const detail = `${place} is taken by something else than this workspace.`
    return { finding: { check, state: 'failed', detail, advice }, runs: false }
  }
  const advice =
    error.code === 'EACCES'
      ? 'Ports below 1024 are for root: use 8080 behind a proxy.'
      : 'Check HOST and PORT.'
  const detail = `${place} cannot be used (${error.code}).`
  return { finding: { check, state: 'failed', detail, advice }, runs: false }
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
  const check = 'public URL'
  if (isUnspecified(public_url)) {
    const advice = 'Set PARLEY_PUBLIC_URL to the address that people use: links are made of it.'
    return { check, state: 'failed', detail: `${public_url} is no address that others can open.`, advice }
  }
  try {
    const who = await whoAnswers(public_url, secret)
    if (who === 'this workspace')
      return { check, state: 'ok', detail: `${public_url} reaches this workspace.` }
    if (who === 'unknown') {
      const detail = `${public_url} answers; without the database it cannot be told whether it is this workspace.`
      return { check, state: 'warning', detail }
    }
    const advice = 'Check PARLEY_PUBLIC_URL, and where the proxy there sends requests.'
    return { check, state: 'failed', detail: `${public_url} reaches something else.`, advice }
  } catch (error) {
    if (!runs) {
      const detail = `${public_url} was not tried: no server of this workspace runs here.`
      return { check, state: 'warning', detail, advice: 'Start the server, and run this again.' }
    }
    const detail = `${public_url} does not answer: ${reasonOf(error)}`
    const advice = 'Check PARLEY_PUBLIC_URL, DNS and the proxy.'
    return { check, state: 'failed', detail, advice }
  }
}

/** Where the server listens, and where others find it. */
export async function checkAddresses(config: Config, secret: Buffer | null): Promise<Finding[]> {
  if (config.run === 'worker') return []
  const { finding, runs } = await checkPort(config, secret)
  return [finding, await checkPublicUrl(config, secret, runs)]
}
