import { accessWords } from '../words/access.js'

type ScopeWords = ReturnType<typeof accessWords>['scopes']

/** `webhooks:events:read` is the right `events:read` of `webhooks`. */
function partsOf(scope: string): [group: string, verb: string] {
  const at = scope.indexOf(':')
  return [scope.slice(0, at), scope.slice(at + 1)]
}

export interface ScopeGroup {
  name: string
  title: string
  scopes: { scope: string; label: string }[]
}

/** Rights by what they are about, by their titles. A right that this client has no text for is shown by its name. */
export function groupScopes(scopes: readonly string[]): ScopeGroup[] {
  const { groups, verbs }: ScopeWords = accessWords().scopes
  const found = new Map<string, ScopeGroup>()
  for (const scope of scopes) {
    const [name, verb] = partsOf(scope)
    const group = found.get(name) ?? { name, title: groups[name as keyof typeof groups] ?? name, scopes: [] }
    group.scopes.push({ scope, label: verbs[verb as keyof typeof verbs] ?? verb })
    found.set(name, group)
  }
  return [...found.values()].sort((a, b) => a.title.localeCompare(b.title))
}

/** `Chats, Messages, Search` */
export function listGroups(scopes: readonly string[]): string {
  return groupScopes(scopes)
    .map(({ title }) => title)
    .join(', ')
}

/** A list that is longer than this says less than a number. */
const GROUPS_LISTED = 5

/** What a token is for, in a line: what its rights are about, or how many they are. */
export function sumUpScopes(scopes: readonly string[]): string {
  return groupScopes(scopes).length > GROUPS_LISTED
    ? accessWords().rightsCount(scopes.length)
    : listGroups(scopes)
}
