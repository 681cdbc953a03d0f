import type { BotEvent } from './translate.js'

export interface Listener {
  id: number
  trigger_on: string
  commands: string[]
  ignore_self_messages: boolean
}

const OF_MESSAGES: ReadonlySet<string> = new Set(['message_new', 'message_update', 'message_delete'])

/** The first word of a text must be one of the commands, to the letter. */
function isCommand(content: string, commands: readonly string[]): boolean {
  const [word = ''] = content.trimStart().split(/\s/, 1)
  return word !== '' && commands.includes(word)
}

/** Commands narrow new messages alone: a bot that answered one hears when it is edited away. */
function wantsMessage(listener: Listener, { event_type, content = '' }: BotEvent): boolean {
  if (listener.trigger_on === 'unfurl') return false
  if (listener.trigger_on === 'all_messages' || event_type !== 'message_new') return true
  return isCommand(content, listener.commands)
}

/** Whether a bot that is subscribed to the event, and may see it, receives this one. */
export function wants(listener: Listener, botEvent: BotEvent): boolean {
  const { event_type, user_id } = botEvent
  if (listener.ignore_self_messages && user_id === listener.id) return false
  return OF_MESSAGES.has(event_type) ? wantsMessage(listener, botEvent) : true
}
