import { randomBytes } from 'node:crypto'
import { type Role, SCOPE_NAMES } from '@parley/contract'
import { findWorkspace } from '../company/queries.js'
import { issueToken, scopesOf } from '../oauth/tokens.js'
import { now, systemClock } from '../platform/clock.js'
import { type Autocommit, openDb, openPool } from '../platform/db/index.js'
import { createPasswords } from '../platform/passwords.js'
import { findAccount, insertUser, lockUser } from '../users/queries.js'

const ctx = { clock: systemClock }

async function withDb<T>(url: string, work: (db: Autocommit) => Promise<T>): Promise<T> {
  const db = openDb(openPool({ url, size: 1, onError: () => {} }))
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

export class OperatorError extends Error {}

/** Whether the database holds a workspace that a restore would replace. */
export function hasWorkspace(url: string): Promise<boolean> {
  return withDb(url, async (db) => (await findWorkspace(db)) !== undefined)
}

export interface NewAccount {
  email: string
  role: 'admin' | 'user' | 'multi_guest'
  first_name?: string
  password?: string
}

function nicknameFrom(email: string): string {
  const local = email.split('@')[0] ?? 'user'
  return `${local.replaceAll(/[^\w.-]/g, '_')}_${randomBytes(2).toString('hex')}`
}

/** A confirmed account with a password, made from the terminal: the way in when nobody can sign in any more. */
export function createAccount(url: string, account: NewAccount) {
  const password = account.password ?? randomBytes(12).toString('base64url')
  return withDb(url, async (db) => {
    const taken = await findAccount(db, account.email)
    if (taken) throw new OperatorError(`${account.email} is in the workspace already (id ${taken.id}).`)
    const row = await insertUser(db, {
      role: account.role,
      email: account.email,
      password_hash: await createPasswords().hash(password),
      first_name: account.first_name ?? null,
      nickname: nicknameFrom(account.email),
      created_at: now(systemClock),
    })
    if (!row) throw new OperatorError('The nickname made for the account is taken: run the command again.')
    return { id: row.id, email: account.email, password }
  })
}

/** A personal or bot token of somebody, by id or mail; every scope of the role unless some are named. */
export function createToken(url: string, wanted: { user: string; name?: string; scopes?: string[] }) {
  const unknown = wanted.scopes?.find((scope) => !(SCOPE_NAMES as string[]).includes(scope))
  if (unknown) throw new OperatorError(`${unknown} is not a scope.`)
  return withDb(url, (db) =>
    db.transaction().execute(async (tx) => {
      const byId = /^\d{1,15}$/.test(wanted.user)
      const user = await (byId ? lockUser(tx, Number(wanted.user)) : findAccount(tx, wanted.user))
      if (!user)
        throw new OperatorError(
          `Nobody is called ${wanted.user}: give the id or the mail of a person or bot.`,
        )
      if (user.role === 'guest') throw new OperatorError('A guest cannot use the API.')
      const all: string[] = scopesOf(user.bot ? 'bot' : (user.role as Role))
      const scopes = wanted.scopes ?? all
      const denied = scopes.filter((scope) => !all.includes(scope))
      if (denied.length) throw new OperatorError(`This account may not hold ${denied.join(', ')}.`)
      const kind = user.bot ? 'bot' : 'personal'
      const token = await issueToken(tx, ctx, {
        user_id: user.id,
        kind,
        scopes,
        name: wanted.name ?? 'Command line',
      })
      return { id: token.id, user_id: user.id, token: token.value, scopes }
    }),
  )
}
