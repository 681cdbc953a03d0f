import type { ApiErrorItem, BotUpdateRequest, ErrorCode } from '@parley/contract'
import type { Context } from '../platform/context.js'
import { Problem, problemItem } from '../platform/problem.js'
import { isBotNickname } from './nickname.js'
import { unassignable } from './scopes.js'

export type BotSettings = BotUpdateRequest['webhook']

const COMMANDS_MAX = 255
const TEMPLATE_MAX = 20_000
const CHALLENGE_KEY_MAX = 255
const URL_MAX = 2_000
const DOMAIN =
  /^(?=.{4,253}$)(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}[\p{L}\p{N}-]{0,61}[\p{L}\p{N}]$/u

type Fault = [code: ErrorCode, key: string, value: unknown]

async function urlFaults(ctx: Pick<Context, 'outbound'>, url: string | undefined): Promise<Fault[]> {
  if (url === undefined || url === '') return []
  const allowed = url.length <= URL_MAX && (await ctx.outbound.check(url)).ok
  return allowed ? [] : [['invalid_webhook_url', 'outgoing_url', url]]
}

function nameFaults({ name, nickname }: BotSettings): Fault[] {
  const faults: Fault[] = []
  if (name !== undefined && name.trim() === '') faults.push(['blank', 'name', name])
  if (nickname === undefined) return faults
  if (nickname === '') faults.push(['blank', 'nickname', nickname])
  else if (!isBotNickname(nickname)) faults.push(['invalid', 'nickname', nickname])
  return faults
}

/** Commands are typed on any keyboard: a slash and printable ASCII, without the comma that separates them. */
const COMMAND = /^\/[!-+\--~]+$/

function commandFaults(commands: string[] | undefined): Fault[] {
  if (!commands) return []
  const wrong = commands.filter((command) => !COMMAND.test(command))
  if (wrong.length > 0) return [['invalid', 'commands', wrong]]
  return commands.join(',').length > COMMANDS_MAX ? [['too_long', 'commands', commands]] : []
}

function textFaults({ template, challenge_key, unfurl_domains }: BotSettings): Fault[] {
  const faults: Fault[] = []
  if ((template ?? '').length > TEMPLATE_MAX) faults.push(['too_long', 'template', null])
  if ((challenge_key ?? '').length > CHALLENGE_KEY_MAX) faults.push(['too_long', 'challenge_key', null])
  const wrong = (unfurl_domains ?? []).filter((domain) => !DOMAIN.test(domain))
  if (wrong.length > 0) faults.push(['invalid', 'unfurl_domains', wrong])
  return faults
}

/** Refuses settings that no bot may have, all faults together; `status` is that of faults in the body's content. */
export async function checkSettings(
  ctx: Pick<Context, 'outbound'>,
  settings: BotSettings,
  status: 400 | 422,
) {
  const refused = unassignable(settings.scopes ?? [])
  const faults: Fault[] = [
    ...(refused.length > 0 ? [['inclusion', 'scopes', refused] as Fault] : []),
    ...nameFaults(settings),
    ...(await urlFaults(ctx, settings.outgoing_url)),
    ...commandFaults(settings.commands),
    ...textFaults(settings),
  ]
  if (faults.length === 0) return
  const items: ApiErrorItem[] = faults.map(([code, key, value]) => problemItem(code, { key, value }))
  throw Problem.of(refused.length > 0 ? 400 : status, items)
}

/** The same settings, each list without repeats and domains in lower case. */
export function tidied(settings: BotSettings): BotSettings {
  const { commands, scopes, events, can_edit, unfurl_domains, name } = settings
  return {
    ...settings,
    ...(name !== undefined && { name: name.trim() }),
    ...(commands && { commands: [...new Set(commands)] }),
    ...(scopes && { scopes: [...new Set(scopes)] }),
    ...(events && { events: [...new Set(events)] }),
    ...(can_edit && { can_edit: [...new Set(can_edit)] }),
    ...(unfurl_domains && { unfurl_domains: [...new Set(unfurl_domains.map((one) => one.toLowerCase()))] }),
  }
}
