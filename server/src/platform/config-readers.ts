import { RATES, type RateWindow } from '@parley/contract'
import ipaddr from 'ipaddr.js'
import { hostsFault, hostsOf } from './db/hosts.js'

export class ConfigError extends Error {}

export type Read<T> = (text: string, name: string) => T

export const text: Read<string> = (value) => value
const list: Read<string[]> = (value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

export function whole(minimum: number, maximum: number): Read<number> {
  return (value, name) => {
    const number = Number(value)
    if (Number.isInteger(number) && number >= minimum && number <= maximum) return number
    throw new ConfigError(`${name} must be a whole number from ${minimum} to ${maximum}, not "${value}".`)
  }
}

export function word<const T extends string>(words: readonly T[]): Read<T> {
  return (value, name) => {
    if ((words as readonly string[]).includes(value)) return value as T
    throw new ConfigError(`${name} must be one of ${words.join(', ')}, not "${value}".`)
  }
}

const FORMER_ROLES: Record<string, string> = { http: 'web', both: 'all' }
/** The former names of the roles are still read. */
export const role: Read<'all' | 'web' | 'worker'> = (value, name) =>
  word(['all', 'web', 'worker'])(FORMER_ROLES[value] ?? value, name)

export const flag: Read<boolean> = (value, name) => word(['on', 'off'])(value, name) === 'on'

export function url(protocols: string[]): Read<string> {
  return (value, name) => {
    const parsed = URL.canParse(value) ? new URL(value) : null
    if (parsed && protocols.includes(parsed.protocol)) return value.replace(/\/$/, '')
    throw new ConfigError(`${name} must be an address that starts with ${protocols.join(' or ')}//.`)
  }
}

export const roomPattern: Read<string> = (value, name) => {
  const isAddress = /^https?:\/\//i.test(value) && URL.canParse(value.replaceAll('{room}', 'room'))
  if (isAddress && value.includes('{room}')) return value
  throw new ConfigError(
    `${name} must be an address with {room} in it, such as https://meet.example.org/{room}.`,
  )
}

/** An address that requests are posted to; it comes into logs, so it holds no secret. */
export const service: Read<string> = (value, name) => {
  const address = url(['http:', 'https:'])(value, name)
  if (new URL(address).username === '' && new URL(address).password === '') return address
  throw new ConfigError(`${name} must be an address without a user and a password.`)
}

/** Not parsed as a URL: one that names a socket folder has no host. */
export const database: Read<string> = (value, name) => {
  const fault = hostsFault(value)
  if (fault) throw new ConfigError(`${name} ${fault}.`)
  if (/^postgres(ql)?:\/\//.test(value)) return value
  throw new ConfigError(`${name} must be an address that starts with postgres://.`)
}

/** Every host is asked by itself, whatever an address of several hosts asks for. */
export const replicas: Read<string[]> = (value, name) =>
  hostsOf(database(value.replace(/\btarget_session_attrs=[\w-]*/, ''), name))

export const prefixes: Read<string[]> = (value, name) =>
  list(value, name).map((prefix) => {
    if (/^(\/[\w.-]+)+$/.test(prefix)) return prefix
    throw new ConfigError(`${name} lists paths such as /v1, not "${prefix}".`)
  })

export function listOf(isGood: (item: string) => boolean, what: string): Read<string[]> {
  return (value, name) =>
    list(value, name).map((item) => {
      if (isGood(item)) return item
      throw new ConfigError(`${name} lists ${what}, not "${item}".`)
    })
}

const WINDOWS: readonly RateWindow[] = Object.values(RATES).flat()

/** `other=100/1`: so many requests in so many seconds. */
export const rateWindows: Read<RateWindow[]> = (value, name) =>
  list(value, name).map((item) => {
    const [, window, requests, seconds] = /^([\w-]+)=(\d{1,9})\/(\d{1,5})$/.exec(item) ?? []
    const known = WINDOWS.find((rule) => rule.name === window)
    if (known && Number(requests) > 0 && Number(seconds) > 0)
      return { ...known, requests: Number(requests), window_s: Number(seconds) }
    const names = WINDOWS.map((rule) => rule.name).join(', ')
    throw new ConfigError(
      `${name} lists limits such as other=100/1 (requests in seconds), not "${item}". Names are ${names}.`,
    )
  })

export const isNetwork = (item: string) => ipaddr.isValid(item) || ipaddr.isValidCIDR(item)
export const isProxy = (item: string) =>
  isNetwork(item) || ['loopback', 'linklocal', 'uniquelocal'].includes(item)
export const isHostName = (item: string) => /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i.test(item)

export const email: Read<string> = (value, name) => {
  if (/^[^\s@]+@[^\s@]+$/.test(value)) return value
  throw new ConfigError(`${name} must be a mail address, not "${value}".`)
}

/** A secret: its value is in no message. */
export const password: Read<string> = (value, name) => {
  if (value.length >= 8 && value.length <= 200) return value
  throw new ConfigError(`${name} must have 8 to 200 characters; it has ${value.length}.`)
}

/** A secret too, which comes in a header. */
export const token: Read<string> = (value, name) => {
  if (/^[\w.~+/=-]{20,200}$/.test(value)) return value
  throw new ConfigError(`${name} must have 20 to 200 letters, digits and -._~+/= characters.`)
}

/** Secrets too: 32 bytes each. The word `lost` gives up what keys that are not listed have encrypted. */
export const filesKeys: Read<{ keys: Buffer[]; lost: boolean }> = (value, name) => {
  const parts = list(value, name)
  const keys = parts
    .filter((part) => part !== 'lost')
    .map((part) => {
      const key = Buffer.from(part, /^[0-9a-f]{64}$/i.test(part) ? 'hex' : 'base64')
      if (key.length === 32) return key
      throw new ConfigError(
        `${name} lists keys of 32 bytes as base64 or hex, newest first; make one with: openssl rand -base64 32`,
      )
    })
  return { keys, lost: keys.length < parts.length }
}

/** A secret of another server's making. */
export const bearer: Read<string> = (value, name) => {
  if (/^[\x21-\x7e]{1,4096}$/.test(value)) return value
  throw new ConfigError(`${name} must have no spaces and no letters beyond ASCII.`)
}

export const language: Read<string> = (value, name) => {
  if (/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(value)) return value
  throw new ConfigError(`${name} must be the code of a language such as en or ru, not "${value}".`)
}

export const sender: Read<string> = (value, name) => {
  if (/^[^\s@<>]+@[^\s@<>]+$/.test(value) || /^[^<>]+<[^\s@<>]+@[^\s@<>]+>$/.test(value)) return value
  throw new ConfigError(`${name} must be a mail address, or a name and <an address>, not "${value}".`)
}

export const isHeaderName = (item: string) => /^[\w!#$%&'*+.^`|~-]+$/.test(item)
export const isClientId = (item: string) => /^[\x21-\x7e]{1,255}$/.test(item)
