import { filled } from '../json.js'
import { type ImportRecord, type Remark, remark } from '../records.js'
import { idOf } from './documents.js'
import { Damage, type Dump } from './dump.js'
import type { People } from './people.js'

const TEAM_FIELDS = new Set(['_id', 'name', 'type'])
const MEMBER_FIELDS = new Set(['teamId', 'userId'])
const PUBLIC = 0

export type Teams = Map<string, { public: boolean }>

/** Teams become tags with their members. */
export async function* readTeams(
  dump: Dump,
  { people }: People,
): AsyncGenerator<ImportRecord | Remark, Teams> {
  const teams: Teams = new Map()
  for await (const team of dump.read('rocketchat_team', TEAM_FIELDS, 'tag')) {
    const id = team instanceof Damage ? null : idOf(team._id)
    if (team instanceof Damage) yield team.remark
    else if (id === null) yield remark('skipped', 'tag', 'has no id', '')
    else {
      teams.set(id, { public: Number(team.type) === PUBLIC })
      yield { kind: 'tag', id, name: filled(team.name) ?? `Team ${id}` }
    }
  }
  for await (const row of dump.read('rocketchat_team_member', MEMBER_FIELDS, 'tag_member')) {
    if (row instanceof Damage) {
      yield row.remark
      continue
    }
    const [tag_id, person_id] = [idOf(row.teamId), idOf(row.userId)]
    if (tag_id !== null && person_id !== null && teams.has(tag_id) && people.has(person_id))
      yield { kind: 'tag_member', tag_id, person_id }
    else yield remark('skipped', 'tag_member', 'is of somebody or a team unknown', `${tag_id}:${person_id}`)
  }
  return teams
}
