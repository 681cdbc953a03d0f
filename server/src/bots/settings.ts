import type { ApiErrorItem, BotUpdateRequest, ErrorCode } from '@parley/contract'
import type { Context } from '../platform/context.js'
import { BLANK, countCharacters, lengthText } from '../platform/http/fault-text.js'
import { Problem, problemItem } from '../platform/problem.js'
import { BOT_NICKNAME } from '../users/names.js'
import { isBotNickname } from './nickname.js'
import { unassignable } from './scopes.js'

export type BotSettings = BotUpdateRequest['webhook']

const COMMANDS_MAX = 255
const TEMPLATE_MAX = 20_000
const CHALLENGE_KEY_MAX = 255
const URL_MAX = 2_000
const DOMAIN =
  /^(?=.{4,253}$)(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}[\p{L}\p{N}-]{0,61}[\p{L}\p{N}]$/u

export const URL_RULE = `must be an http or https address with at most ${URL_MAX} characters that this server may call`
const COMMAND_RULE = 'must each be / and printable ASCII characters, without spaces and commas'

type Fault = [code: ErrorCode, key: string, value: unknown, message: string]

export async function isWebhookUrl(ctx: Pick<Context, 'outbound'>, url: string): Promise<boolean> {
  return url.length <= URL_MAX && (await ctx.outbound.check(url)).ok
}

async function urlFaults(ctx: Pick<Context, 'outbound'>, url: string | undefined): Promise<Fault[]> {
  if (url === undefined || url === '') return []
  return (await isWebhookUrl(ctx, url)) ? [] : [['invalid_webhook_url', 'outgoing_url', url, URL_RULE]]
}

function nameFaults({ name, nickname }: BotSettings): Fault[] {
  const faults: Fault[] = []
  if (name !== undefined && name.trim() === '') faults.push(['blank', 'name', name, BLANK])
  if (nickname === undefined) return faults
  if (nickname === '') faults.push(['blank', 'nickname', nickname, BLANK])
  else if (!isBotNickname(nickname)) faults.push(['invalid', 'nickname', nickname, BOT_NICKNAME])
  return faults
}

/** Commands are typed on any keyboard: a slash and printable ASCII, without the comma that separates them. */
const COMMAND = /^\/[!-+\--~]+$/

function commandFaults(commands: string[] | undefined): Fault[] {
  if (!commands) return []
  const wrong = commands.filter((command) => !COMMAND.test(command))
  if (wrong.length > 0) return [['invalid', 'commands', wrong, COMMAND_RULE]]
  const { length } = commands.join(',')
  if (length <= COMMANDS_MAX) return []
  return [['too_long', 'commands', commands, `joined with commas ${lengthText(COMMANDS_MAX, length)}`]]
}

function textFaults({ template, challenge_key, unfurl_domains }: BotSettings): Fault[] {
  const faults: Fault[] = []
  const longest = { template: TEMPLATE_MAX, challenge_key: CHALLENGE_KEY_MAX }
  for (const [key, text = ''] of Object.entries({ template, challenge_key })) {
    const limit = longest[key as keyof typeof longest]
    const length = countCharacters(text)
    if (length > limit) faults.push(['too_long', key, null, lengthText(limit, length)])
  }
  const wrong = (unfurl_domains ?? []).filter((domain) => !DOMAIN.test(domain))
  if (wrong.length > 0)
    faults.push(['invalid', 'unfurl_domains', wrong, 'must be names of hosts such as example.org'])
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
    ...(refused.length > 0
      ? [['inclusion', 'scopes', refused, 'are scopes that no bot may hold'] as Fault]
      : []),
    ...nameFaults(settings),
    ...(await urlFaults(ctx, settings.outgoing_url)),
    ...commandFaults(settings.commands),
    ...textFaults(settings),
  ]
  if (faults.length === 0) return
  const items: ApiErrorItem[] = faults.map(([code, key, value, message]) =>
    problemItem(code, { key, value, message }),
  )
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
