import type { Archive } from '../archive/archive.js'
import { asIds, asObject, asText, filled, type JsonObject, readMember } from '../json.js'
import { readSubmessages, type Submessages } from './widgets.js'

const REALM = 'realm.json'

/** The people and chats of realm.json: small compared with the messages. */
export interface Tables {
  people: Map<string, JsonObject>
  dummies: Map<string, JsonObject>
  bots: Map<string, JsonObject>
  /** Bots of the service, which write notices. */
  notifiers: ReadonlySet<string>
  streams: Map<string, JsonObject>
  /** Recipients of messages: the type (1 person, 2 stream, 3 group) and whose it is. */
  recipients: Map<string, { type: number; id: string }>
  /** Who is subscribed to a recipient. */
  subscribers: Map<string, string[]>
  groups: Map<string, { name: string; members: string[] }>
  /** Also those that represent roles. */
  groupNames: Map<string, string>
  submessages: Submessages
}

async function byId(archive: Archive, table: string): Promise<Map<string, JsonObject>> {
  const rows = new Map<string, JsonObject>()
  for await (const row of readMember(archive, REALM, table)) {
    const id = asText(row.id)
    if (id) rows.set(id, row)
  }
  return rows
}

export async function readTables(archive: Archive): Promise<Tables> {
  const people = await byId(archive, 'zerver_userprofile')
  const dummies = await byId(archive, 'zerver_userprofile_mirrordummy')
  const crossrealm = await byId(archive, 'zerver_userprofile_crossrealm')
  const bots = new Map([...people].filter(([, row]) => row.is_bot))
  for (const id of bots.keys()) people.delete(id)
  for (const [id, row] of crossrealm) bots.set(id, row)
  return {
    people,
    dummies,
    bots,
    notifiers: new Set(crossrealm.keys()),
    streams: await byId(archive, 'zerver_stream'),
    recipients: await readRecipients(archive),
    subscribers: await readSubscribers(archive),
    groups: await readGroups(archive),
    groupNames: await readGroupNames(archive),
    submessages: await readSubmessages(archive),
  }
}

async function readRecipients(archive: Archive): Promise<Tables['recipients']> {
  const recipients: Tables['recipients'] = new Map()
  for (const [id, row] of await byId(archive, 'zerver_recipient'))
    recipients.set(id, { type: Number(row.type), id: asText(row.type_id) ?? '' })
  return recipients
}

async function readSubscribers(archive: Archive): Promise<Tables['subscribers']> {
  const subscribers: Tables['subscribers'] = new Map()
  for await (const row of readMember(archive, REALM, 'zerver_subscription')) {
    const [recipient, person] = [asText(row.recipient), asText(row.user_profile)]
    if (!recipient || !person || row.active === false) continue
    const list = subscribers.get(recipient)
    if (list) list.push(person)
    else subscribers.set(recipient, [person])
  }
  return subscribers
}

async function readGroupNames(archive: Archive): Promise<Tables['groupNames']> {
  const names: Tables['groupNames'] = new Map()
  for (const [id, row] of await byId(archive, 'zerver_namedusergroup')) {
    const name = filled(row.name)
    if (name) names.set(asText(row.usergroup_ptr) ?? id, name)
  }
  return names
}

/** Groups in groups are flattened; those that represent roles are no groups. */
async function readGroups(archive: Archive): Promise<Tables['groups']> {
  const named = await byId(archive, 'zerver_namedusergroup')
  const plain = await byId(archive, 'zerver_usergroup')
  const members = new Map<string, string[]>()
  const inner = new Map<string, string[]>()
  for await (const row of readMember(archive, REALM, 'zerver_usergroupmembership'))
    push(members, asText(row.user_group), asText(row.user_profile))
  for await (const row of readMember(archive, REALM, 'zerver_groupgroupmembership'))
    push(inner, asText(row.supergroup), asText(row.subgroup))
  const groups: Tables['groups'] = new Map()
  for (const [id, row] of named.size > 0 ? named : plain) {
    const name = filled(row.name) ?? filled(asObject(plain.get(id)).name)
    if (!name || row.is_system_group) continue
    const group = asText(row.usergroup_ptr) ?? id
    groups.set(id, { name, members: [...allMembers(group, members, inner, new Set())] })
  }
  return groups
}

function push(map: Map<string, string[]>, key: string | null, value: string | null) {
  if (!key || !value) return
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

function allMembers(
  group: string,
  members: ReadonlyMap<string, string[]>,
  inner: ReadonlyMap<string, string[]>,
  seen: Set<string>,
): Set<string> {
  if (seen.has(group)) return new Set()
  seen.add(group)
  const found = new Set(asIds(members.get(group) ?? []))
  for (const other of inner.get(group) ?? [])
    for (const person of allMembers(other, members, inner, seen)) found.add(person)
  return found
}
