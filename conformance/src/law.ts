import type { Operation } from '@parley/contract'
import type { Lab } from './lab.js'

/** `agreed` holds the published document, `additions` what Parley offers beyond it. */
export const LEVELS = ['agreed', 'additions'] as const
export type Level = (typeof LEVELS)[number]

/** What a law needs beside a server and one token; where it is missing, the law is not tested. */
export const NEEDS = {
  owner: 'the main token is of the owner',
  admin: 'the main token is of the owner or an admin',
  bots: 'the main token may create bots',
  member: 'a token of a second person: --token member=…',
  webhooks: 'an address that webhooks reach: --webhook-listener and --webhook-address',
  sandbox: 'a sandbox, whose clock and limits can be set',
} as const
export type Need = keyof typeof NEEDS

/** One rule of the API that a server keeps or breaks. */
export interface Law {
  /** Never changes and never comes back with another meaning. */
  id: string
  level: Level
  /** The noun it is about. */
  area: string
  /** One sentence. */
  rule: string
  /** Ids of the operations it speaks of. */
  operations: readonly string[]
  needs: readonly Need[]
  /** Throws where the rule is broken. */
  run(lab: Lab): Promise<void>
}

type NewLaw = Omit<Law, 'area' | 'level' | 'operations' | 'needs'> & {
  level?: Level
  operations: readonly Operation[]
  needs?: readonly Need[]
}

/** Laws of one noun. */
export function laws(area: string, list: readonly NewLaw[]): Law[] {
  return list.map(({ level = 'agreed', needs = [], operations, ...law }) => ({
    ...law,
    area,
    level,
    needs,
    operations: operations.map(({ id }) => id),
  }))
}
