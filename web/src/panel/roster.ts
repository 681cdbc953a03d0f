import type { ChatCard, User } from '@parley/contract'
import { call } from '../platform/api.js'

export type MemberRole = 'owner' | 'admin' | 'editor' | 'member'

export interface Member {
  user: User
  role: MemberRole
}

const ORDER: readonly MemberRole[] = ['owner', 'admin', 'editor', 'member']

/** Those with more say first, then by name. */
export function sortMembers(members: readonly Member[]): Member[] {
  return [...members].sort(
    (a, b) => ORDER.indexOf(a.role) - ORDER.indexOf(b.role) || nameOf(a.user).localeCompare(nameOf(b.user)),
  )
}

export function nameOf({ first_name, last_name, nickname }: User): string {
  return [first_name, last_name].filter(Boolean).join(' ') || nickname
}

async function readAll(id: number, role: 'all' | 'admin' | 'editor'): Promise<User[]> {
  const users: User[] = []
  let cursor: string | undefined
  do {
    const page = await call('listChatMembers', {
      params: { id },
      query: { role, limit: 50, ...(cursor ? { cursor } : {}) },
    })
    users.push(...page.data)
    cursor = page.meta.paginate.has_next ? page.meta.paginate.next_page : undefined
  } while (cursor)
  return users
}

/** Everybody in a chat with their role, which the list tells only as a filter. */
export async function readRoster({ id, kind, owner_id }: ChatCard): Promise<Member[]> {
  const [all, admins, editors] = await Promise.all([
    readAll(id, 'all'),
    readAll(id, 'admin'),
    kind === 'channel' ? readAll(id, 'editor') : [],
  ])
  const adminIds = new Set(admins.map((user) => user.id))
  const editorIds = new Set(editors.map((user) => user.id))
  const roleOf = (user: User): MemberRole => {
    if (user.id === owner_id) return 'owner'
    if (adminIds.has(user.id)) return 'admin'
    return editorIds.has(user.id) ? 'editor' : 'member'
  }
  return sortMembers(all.map((user) => ({ user, role: roleOf(user) })))
}
