import type { OwnProfileUpdate, User } from '@parley/contract'

/** What was typed so far, by field. */
export type ProfileFields = Partial<Record<keyof OwnProfileUpdate, string>>

/** The fields that differ from the profile; an emptied one counts. */
export function changesOf(user: User, fields: ProfileFields): OwnProfileUpdate {
  const names = Object.keys(fields) as (keyof OwnProfileUpdate)[]
  const changed = names.filter((name) => (fields[name] ?? '').trim() !== (user[name] ?? ''))
  return Object.fromEntries(changed.map((name) => [name, (fields[name] ?? '').trim()]))
}
