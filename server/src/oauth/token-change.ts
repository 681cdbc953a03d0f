import type { TokenLimits } from '@parley/contract'
import { limitsChange } from './limits.js'
import type { TokenRow } from './queries.js'

interface Wanted {
  name?: string | undefined
  scopes?: readonly string[] | undefined
  limits?: TokenLimits | undefined
}

const isSameSet = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((item) => other.includes(item))

/** The columns of a token that become different; undefined where none does. */
export function tokenChange(token: TokenRow, { name, scopes, limits }: Wanted) {
  const wanted = scopes && [...new Set(scopes)]
  const change = {
    ...(name !== undefined && name !== token.name && { name }),
    ...(wanted && !isSameSet(wanted, token.scopes) && { scopes: wanted }),
    ...limitsChange(token, limits),
  }
  return Object.keys(change).length > 0 ? change : undefined
}
