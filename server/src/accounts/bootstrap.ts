import { randomBytes } from 'node:crypto'
import { findWorkspace, insertWorkspace } from '../company/queries.js'
import { issueToken, newTokenValue, scopesOf } from '../oauth/tokens.js'
import type { Clock } from '../platform/clock.js'
import { now } from '../platform/clock.js'
import type { Config } from '../platform/config.js'
import type { Autocommit } from '../platform/db/index.js'
import { createPasswords, type Passwords } from '../platform/passwords.js'
import { found } from '../platform/problem.js'
import { insertUser } from '../users/queries.js'

export interface FirstStart {
  owner_id: number
  email: string
  password: string
  token: string
  /** Which of them the operator chose: those are not shown again. */
  given: { password: boolean; token: boolean }
}

/** Makes the workspace and its owner on the first start; undefined where they are there already. */
export async function bootstrap(
  db: Autocommit,
  ctx: { clock: Clock; config: Config },
  passwords: Passwords = createPasswords(),
): Promise<FirstStart | undefined> {
  // Looked at before the password is hashed, which is slow: every start after the first ends here.
  if (await findWorkspace(db)) return undefined
  const email = ctx.config.owner_email ?? 'owner@parley.local'
  const password = ctx.config.owner_password ?? randomBytes(12).toString('base64url')
  const value = ctx.config.owner_token ?? newTokenValue()
  const password_hash = await passwords.hash(password)
  return db.transaction().execute(async (tx) => {
    const { workspace_name: name, plan, licenses } = ctx.config
    const created_at = now(ctx.clock)
    if (!(await insertWorkspace(tx, { name, plan, licenses, secret: randomBytes(32), created_at })))
      return undefined
    const owner = found(
      await insertUser(tx, {
        role: 'owner',
        email,
        password_hash,
        first_name: 'Owner',
        nickname: 'owner',
        created_at,
      }),
    )
    const scopes = scopesOf('owner')
    await issueToken(tx, ctx, { user_id: owner.id, kind: 'personal', scopes, name: 'First token', value })
    const given = { password: ctx.config.owner_password !== null, token: ctx.config.owner_token !== null }
    return { owner_id: owner.id, email, password, token: value, given }
  })
}
