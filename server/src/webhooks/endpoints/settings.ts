import {
  ENDPOINT_HEADERS_MAX,
  ENDPOINT_NAME_MAX,
  type EndpointUpdateRequest,
  type ErrorCode,
} from '@parley/contract'
import { isWebhookUrl, URL_RULE } from '../../bots/settings.js'
import type { Context } from '../../platform/context.js'
import { BLANK, countCharacters, countText, lengthText } from '../../platform/http/fault-text.js'
import { Problem, problemItem } from '../../platform/problem.js'

type Fault = [code: ErrorCode, key: string, value: unknown, message: string]

const HEADER_NAME = /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/
const HEADER_VALUE = /^[\x20-\x7e]{0,1000}$/
/** What this server writes itself, or what belongs to the connection. */
const RESERVED =
  /^(webhook-.*|parley-.*|content-.*|host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|user-agent|proxy-.*)$/i
const HEADERS_RULE =
  'must have names of letters, digits and hyphens that webhooks do not use themselves, and values of at most 1000 printable ASCII characters'

function nameFaults(name: string | undefined): Fault[] {
  if (name === undefined) return []
  if (name.trim() === '') return [['blank', 'name', name, BLANK]]
  const length = countCharacters(name)
  if (length > ENDPOINT_NAME_MAX) return [['too_long', 'name', null, lengthText(ENDPOINT_NAME_MAX, length)]]
  return []
}

function headerFaults(headers: Record<string, string> | undefined, own: readonly string[]): Fault[] {
  const entries = Object.entries(headers ?? {})
  if (entries.length > ENDPOINT_HEADERS_MAX)
    return [['max_length', 'headers', null, countText(ENDPOINT_HEADERS_MAX, entries.length)]]
  const taken = new Set(own.map((name) => name.toLowerCase()))
  const isAllowed = ([name, value]: [string, string]) =>
    HEADER_NAME.test(name) &&
    !RESERVED.test(name) &&
    !taken.has(name.toLowerCase()) &&
    HEADER_VALUE.test(value)
  return entries.every(isAllowed) ? [] : [['invalid', 'headers', null, HEADERS_RULE]]
}

/** Refuses settings that no endpoint may have, all faults together. */
export async function checkEndpoint(
  ctx: Pick<Context, 'outbound' | 'config'>,
  { name, url, headers }: Pick<EndpointUpdateRequest, 'name' | 'url' | 'headers'>,
) {
  const faults = [...nameFaults(name), ...headerFaults(headers, ctx.config.signature_headers)]
  if (url !== undefined && !(await isWebhookUrl(ctx, url)))
    faults.push(['invalid_webhook_url', 'url', url, URL_RULE])
  if (faults.length === 0) return
  throw Problem.of(
    422,
    faults.map(([code, key, value, message]) => problemItem(code, { key, value, message })),
  )
}
