import { groupScopes as group, SCOPE_TEXTS, type ScopeGroup } from '@parley/contract/scope-texts'
import { locale } from '../platform/i18n.js'
import { accessWords } from '../words/access.js'

/** Rights by what they are about, by their titles. */
export function groupScopes(scopes: readonly string[]): ScopeGroup[] {
  return group(SCOPE_TEXTS[locale()], scopes)
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
