import { randomBytes } from 'node:crypto'
import type { User } from '@parley/contract'
import { editUser } from '../accounts/edit.js'
import { inviteUser } from '../accounts/invite.js'
import { findInvite } from '../accounts/invite-queries.js'
import { inviteUrl } from '../accounts/invites.js'
import { resetSecondFactor } from '../accounts/second-factor.js'
import { giveHash, makeResetLink, setPasswordOf } from '../accounts/set-password.js'
import { transaction } from '../platform/db/transaction.js'
import { explainRefusal, OperatorError } from './errors.js'
import { findUsers, listUsers, type NamedUser } from './queries.js'
import type { OpenWorkspace } from './workspace.js'

const LEAST_PASSWORD = 8
const LONGEST_PASSWORD = 200

function checked(password: string | undefined): string {
  if (password === undefined) return randomBytes(12).toString('base64url')
  if (password.length >= LEAST_PASSWORD && password.length <= LONGEST_PASSWORD) return password
  throw new OperatorError(
    `A password has ${LEAST_PASSWORD} to ${LONGEST_PASSWORD} characters; this one has ${password.length}.`,
  )
}

/** The one person or bot that is meant: by id, by mail, or by @nickname. */
export async function findNamed({ ctx }: OpenWorkspace, who: string): Promise<NamedUser> {
  const [user] = await findUsers(ctx.db, who)
  if (user) return user
  throw new OperatorError(`Nobody is called ${who}: give the id, the mail or the @nickname.`)
}

export function listPeople({ ctx }: OpenWorkspace, filter: { role?: string; suspended?: boolean }) {
  return listUsers(ctx.db, filter)
}

export interface NewAccount {
  email: string
  role: 'admin' | 'user' | 'multi_guest'
  first_name?: string
  password?: string
}

/** A confirmed account with a password. */
export async function createAccount({ ctx, actor }: OpenWorkspace, account: NewAccount) {
  const { password: given, ...input } = account
  const password = checked(given)
  const hash = await ctx.passwords.hash(password)
  const { id, email } = await transaction(ctx, async (tx) => {
    const user = await inviteUser({ ...ctx, tx, db: tx }, actor, input, false)
    await giveHash(tx, ctx, actor, user.id, hash)
    return user
  })
  return { id, email, password: given === undefined ? password : null }
}

/** Sets a password, or makes one; null in the answer where the operator gave it. */
export async function setPassword(workspace: OpenWorkspace, who: string, given: string | undefined) {
  const user = await findNamed(workspace, who)
  if (user.bot) throw new OperatorError(`${user.name} is a bot: it has tokens and no password.`)
  const password = checked(given)
  await setPasswordOf(workspace.ctx, workspace.actor, user.id, password)
  return { id: user.id, email: user.email, password: given === undefined ? password : null }
}

/** For people who lost their devices and recovery codes, the owner too. */
export async function clearSecondFactor(workspace: OpenWorkspace, who: string) {
  const { id, email } = await findNamed(workspace, who)
  await resetSecondFactor(workspace.ctx, workspace.actor, id)
  return { id, email }
}

/** A link with which a person sets a password. */
export async function linkForPassword(workspace: OpenWorkspace, who: string) {
  const { id, email } = await findNamed(workspace, who)
  const url = email === null ? undefined : await makeResetLink(workspace.ctx, email)
  if (url) return { id, email, url }
  throw new OperatorError(
    `${who} gets no link now: the account is a bot, suspended or not confirmed, or a link was made within the last minute.`,
  )
}

export async function changePerson(
  workspace: OpenWorkspace,
  who: string,
  change: { role: string } | { suspended: boolean },
): Promise<User> {
  const { id } = await findNamed(workspace, who)
  return editUser(workspace.ctx, workspace.actor, id, change)
}

/** One line of a list of people to invite. */
export interface PersonToInvite {
  line: number
  email: string
  role?: string
  first_name?: string
  last_name?: string
  department?: string
  title?: string
  phone_number?: string
  list_tags?: string[]
}

export interface Invited {
  line: number
  email: string
  state: 'invited' | 'skipped' | 'failed'
  id: number | null
  detail: string
}

const INVITED_ROLES = ['admin', 'user', 'multi_guest']

async function inviteOne(
  workspace: OpenWorkspace,
  person: PersonToInvite,
  options: { links: boolean },
): Promise<Invited> {
  const { line, role = 'user', ...card } = person
  const about = { line, email: card.email }
  const [known] = await findUsers(workspace.ctx.db, card.email.trim())
  if (known?.email) return { ...about, state: 'skipped', id: known.id, detail: 'is in the workspace already' }
  if (!INVITED_ROLES.includes(role)) {
    const detail = `role "${role}" is none of ${INVITED_ROLES.join(', ')}`
    return { ...about, state: 'failed', id: null, detail }
  }
  const { ctx, actor } = workspace
  try {
    const { id } = await inviteUser(ctx, actor, { ...card, role: role as 'user' }, !options.links)
    const invite = options.links ? await findInvite(ctx.db, id) : undefined
    return { ...about, state: 'invited', id, detail: invite ? inviteUrl(ctx, invite) : 'letter queued' }
  } catch (error) {
    const detail = explainRefusal(error)
    if (!detail) throw error
    return { ...about, state: 'failed', id: null, detail: detail.replaceAll('\n', '; ') }
  }
}

/** Invites people one after the other; those who are there already are left alone, so a list may be imported again. */
export async function* invitePeople(
  workspace: OpenWorkspace,
  people: Iterable<PersonToInvite>,
  options: { links: boolean },
): AsyncGenerator<Invited> {
  for (const person of people) yield await inviteOne(workspace, person, options)
}
