import { randomBytes } from 'node:crypto'
import { issueToken, newTokenValue, scopesOf } from '../oauth/tokens.js'
import type { Clock } from '../platform/clock.js'
import { now } from '../platform/clock.js'
import type { Config } from '../platform/config.js'
import type { Autocommit, Db, Tx } from '../platform/db/index.js'
import { createPasswords, type Passwords } from '../platform/passwords.js'

export interface FirstStart {
  owner_id: number
  email: string
  password: string
  token: string
  /** Which of them the operator chose: those are not shown again. */
  given: { password: boolean; token: boolean }
}

export function findWorkspace(db: Db) {
  return db.selectFrom('workspace').selectAll().executeTakeFirst()
}

async function insertWorkspace(tx: Tx, ctx: { clock: Clock; config: Config }): Promise<boolean> {
  const { workspace_name: name, plan, licenses } = ctx.config
  const made = await tx
    .insertInto('workspace')
    .values({ id: 1, name, plan, licenses, secret: randomBytes(32), created_at: now(ctx.clock) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

/** Makes the workspace and its owner on the first start; undefined where they are there already. */
export async function bootstrap(
  db: Autocommit,
  ctx: { clock: Clock; config: Config },
  passwords: Passwords = createPasswords(),
): Promise<FirstStart | undefined> {
  // Looked at before the password is hashed, which is dear: every start after the first ends here.
  if (await findWorkspace(db)) return undefined
  const email = ctx.config.owner_email ?? 'owner@parley.local'
  const password = ctx.config.owner_password ?? randomBytes(12).toString('base64url')
  const value = ctx.config.owner_token ?? newTokenValue()
  const password_hash = await passwords.hash(password)
  return db.transaction().execute(async (tx) => {
    if (!(await insertWorkspace(tx, ctx))) return undefined
    const owner = await tx
      .insertInto('users')
      .values({
        role: 'owner',
        email,
        password_hash,
        first_name: 'Owner',
        nickname: 'owner',
        created_at: now(ctx.clock),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const scopes = scopesOf('owner')
    await issueToken(tx, ctx, { user_id: owner.id, kind: 'personal', scopes, name: 'First token', value })
    const given = { password: ctx.config.owner_password !== null, token: ctx.config.owner_token !== null }
    return { owner_id: owner.id, email, password, token: value, given }
  })
}
