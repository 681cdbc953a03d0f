import { asIds, asObjects, asText, filled, type JsonObject } from '../json.js'
import type { ChatMemberRecord, ChatRecord } from '../records.js'
import { timeOfUnits } from '../times.js'
import { hasRole } from './people.js'

export const channelId = (team: string, name: string) => `${team}/${name}`

/** Milliseconds to microseconds; 0 means never. */
export function timeOf(value: unknown): number | null {
  return timeOfUnits(value, 1000)
}

export interface Channel {
  id: string
  team: string
  record: ChatRecord
}

export function readChannel(channel: JsonObject, team: string, name: string): Channel {
  const archived_at = timeOf(channel.deleted_at)
  const texts = [filled(channel.purpose), filled(channel.header)].flatMap((text) => text ?? [])
  const id = channelId(team, name)
  return {
    id,
    team,
    record: {
      kind: 'chat',
      id,
      type: 'conversation',
      name: filled(channel.display_name) ?? name,
      description: texts.length > 0 ? [...new Set(texts)].join('\n') : null,
      public: channel.type === 'O',
      owner_id: null,
      people: [],
      archived: archived_at !== null,
      archived_at,
      created_at: null,
    },
  }
}

/** Each team has a town square: names that two teams share get the team in front. */
export function tellApart(channels: readonly Channel[], teams: ReadonlyMap<string, string>): void {
  const counts = new Map<string, number>()
  for (const { record } of channels) counts.set(record.name, (counts.get(record.name) ?? 0) + 1)
  for (const { record, team } of channels)
    if ((counts.get(record.name) ?? 0) > 1) record.name = `${teams.get(team) ?? team}: ${record.name}`
}

export function membersOf(channel: JsonObject): string[] {
  const members = asIds(channel.members)
  const named =
    members.length > 0
      ? members
      : asObjects(channel.participants).flatMap(({ username }) => filled(username) ?? [])
  return [...new Set(named)]
}

export function* readMemberships(user: JsonObject, person_id: string): Iterable<ChatMemberRecord> {
  for (const team of asObjects(user.teams)) {
    for (const channel of asObjects(team.channels)) {
      const [teamName, name] = [asText(team.name), asText(channel.name)]
      if (!teamName || !name) continue
      const role = hasRole(channel.roles, 'channel_admin') ? 'admin' : 'member'
      yield { kind: 'chat_member', chat_id: channelId(teamName, name), person_id, role }
    }
  }
}
