import { ALLOW, refuse, type Verdict } from '../platform/problem.js'

/** Previews are made by bots that are told of links, in whichever chats those are. */
export function mayUnfurl(bot: { trigger_on: string; events: string[] } | undefined): Verdict {
  const told = bot?.trigger_on === 'unfurl' || bot?.events.includes('message_link_shared')
  return told ? ALLOW : refuse('bot.unfurl')
}
