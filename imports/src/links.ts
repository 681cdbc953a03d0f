import type { Source } from './records.js'

/** What an address of the old host leads to, by the ids of the source. */
export interface LinkTarget {
  /** Null for an address of the chat itself. */
  message: string | null
  /** The chat that must hold the message; null where ids of messages are unique everywhere. */
  chat: string | null
  /** How the address spells the name of the chat, where numbers alone could be those of another host. */
  spelled: string | null
}

const SLACK =
  /^https:\/\/[\w-]+(?:\.enterprise)?\.slack\.com\/(?:archives|messages)\/([A-Z][A-Z0-9]+)(?:\/p(\d{10})(\d{6}))?\/?(?:[?#].*)?$/
const ZULIP =
  /^https?:\/\/[^/]+\/#narrow\/(?:stream|channel)\/(\d+)-([^/]+)(?:\/(?:topic|subject)\/[^/]*)?(?:\/(?:near|with)\/(\d+))?\/?$/
const ROCKETCHAT =
  /^https?:\/\/[^/]+\/(?:channel|group|direct)\/[^?#]+\?(?:[^#]*&)?msg=([A-Za-z0-9]{17})(?:[&#].*)?$/

const MATTERMOST =
  /^https?:\/\/[^/]+\/([a-z0-9][a-z0-9-]*)\/(?:channels\/([a-z0-9][\w-]*)|pl\/([a-z0-9]{26}))\/?(?:[?#].*)?$/

const READERS: Partial<Record<Source['name'], (url: string) => LinkTarget | null>> = {
  mattermost(url) {
    const [, team, channel, post] = MATTERMOST.exec(url) ?? []
    // Messages are named by ids that the exports do not hold: no message is found by one.
    if (post) return { chat: null, message: `pl/${post}`, spelled: null }
    return channel ? { chat: `${team}/${channel}`, message: null, spelled: null } : null
  },
  slack(url) {
    const [, chat, seconds, micros] = SLACK.exec(url) ?? []
    if (!chat) return null
    return { chat, message: seconds ? `${chat}:${seconds}.${micros}` : null, spelled: null }
  },
  zulip(url) {
    const [, stream, spelled = '', message = null] = ZULIP.exec(url) ?? []
    return stream ? { chat: `stream/${stream}`, message, spelled } : null
  },
  rocketchat(url) {
    const message = ROCKETCHAT.exec(url)?.[1]
    return message ? { chat: null, message, spelled: null } : null
  },
}

export function linkTargetOf(source: Source['name'], url: string): LinkTarget | null {
  return READERS[source]?.(url) ?? null
}

/** Letters and digits of ASCII: what Zulip leaves of a name as it is. */
const bare = (name: string) => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()

/** Whether an address can mean a chat of this name. */
export function canBeSpelled(name: string, spelled: string): boolean {
  return bare(name).endsWith(bare(spelled.replaceAll(/\.[0-9A-F]{2}/g, '')))
}
