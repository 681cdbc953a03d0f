import { ALLOW, refuse, type Verdict } from '../platform/problem.js'

/** Previews are made by bots that receive links, in any chat. */
export function mayUnfurl(bot: { trigger_on: string; events: string[] } | undefined): Verdict {
  const told = bot?.trigger_on === 'unfurl' || bot?.events.includes('message_link_shared')
  return told ? ALLOW : refuse('bot.unfurl')
}
