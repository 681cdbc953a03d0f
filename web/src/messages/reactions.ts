import type { ReactionGroup } from '@parley/contract'

const NAMED_AT_MOST = 10

/** What a reaction, added or taken back, makes of the groups of a message. */
export function regroup(
  groups: readonly ReactionGroup[],
  {
    code,
    name,
    user_id,
    added,
    me,
  }: { code: string; name: string | null; user_id: number; added: boolean; me: number },
): readonly ReactionGroup[] {
  const group = groups.find((one) => one.code === code && (one.name ?? null) === name)
  const there = group !== undefined && (user_id === me ? group.mine : group.user_ids.includes(user_id))
  if (added === there) return groups
  const mine = user_id === me ? added : (group?.mine ?? false)
  if (!group) return [...groups, { code, name, count: 1, mine, user_ids: [user_id] }]
  const others = group.user_ids.filter((id) => id !== user_id)
  const user_ids = (added ? [...others, user_id] : others).slice(0, NAMED_AT_MOST)
  const next = { ...group, mine, user_ids, count: group.count + (added ? 1 : -1) }
  return groups.flatMap((one) => (one === group ? (next.count > 0 ? [next] : []) : [one]))
}
