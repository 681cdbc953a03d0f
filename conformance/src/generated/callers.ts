import { OPERATIONS, type Operation } from '@parley/contract'
import type { Caller } from '../client.js'
import type { Lab } from '../lab.js'
import type { Law, Level } from '../law.js'

export const levelOf = ({ addition }: Operation): Level => (addition ? 'additions' : 'agreed')

/** Operations of the server itself: uploads go to a storage that may be another, a sandbox is none of a real workspace. */
export const SERVED = OPERATIONS.filter(({ external, sandbox }) => !external && !sandbox)

export const GUARDED = SERVED.filter(({ roles }) => roles.length > 0)

/** Somebody who may call it. */
export async function callerFor(lab: Lab, operation: Operation): Promise<Caller> {
  const roles: readonly string[] = operation.roles
  if (roles.length === 0) return lab.anonymous
  if (operation.sessionOnly) return lab.session()
  if (roles.length === 1 && roles[0] === 'bot') return lab.helper()
  if (!roles.includes('user')) lab.need(roles.includes('admin') ? 'admin' : 'owner')
  return lab.owner
}

interface Generated {
  /** What the id ends with. */
  name: string
  rule: string
  operation: Operation
  run: Law['run']
}

/** A law that holds for many operations, about one of them. */
export function lawOf({ name, rule, operation, run }: Generated): Law {
  return {
    id: `${operation.id}/${name}`,
    level: levelOf(operation),
    area: operation.area,
    rule,
    operations: [operation.id],
    needs: [],
    run,
  }
}
