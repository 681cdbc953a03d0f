import type { DeletionPreview, User } from '@parley/contract'
import { attempt } from '../frame/attempt.js'
import { copy } from '../frame/copy.js'
import { ApiFailure, call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { state } from '../store.js'
import { ToolButton } from '../ui/button.js'
import { confirm } from '../ui/confirm.js'
import { Menu, type MenuItem } from '../ui/menu.js'
import { toast } from '../ui/toast.js'
import { adminWords } from '../words/admin.js'

const ROLES = ['admin', 'user', 'multi_guest'] as const

export function nameOf({ first_name, last_name, nickname }: User): string {
  return [first_name, last_name].filter(Boolean).join(' ') || nickname
}

/** What an admin does with a person. The server has the last word on what is allowed. */
export function PersonMenu({ user, onChanged }: { user: User; onChanged(): void }) {
  const admin = adminWords()
  const { common } = words()
  const name = nameOf(user)
  const { id } = user
  const run = async (work: () => Promise<unknown>) => {
    if (await attempt(work)) onChanged()
  }
  const ask = (title: string, text: string, action: string) =>
    confirm({ title, text, action, cancel: common.cancel, danger: true })

  const suspend = async () => {
    const preview = await call('previewUserDeletion', { params: { id } }).catch(() => null)
    const ends = preview?.data.tokens ? `${admin.suspendCount(preview.data.tokens)} ` : ''
    if (await ask(admin.suspendTitle(name), ends + admin.suspendText, admin.suspend))
      await run(() => call('updateUser', { params: { id }, body: { user: { suspended: true } } }))
  }
  const remove = async () => {
    const preview = await call('previewUserDeletion', { params: { id } }).catch(() => null)
    const text = preview ? consequencesOf(preview.data) : admin.deleteKeeps
    if (await ask(admin.deleteTitle(name), text, common.delete))
      await run(() => call('deleteUser', { params: { id } }))
  }
  const roles: MenuItem[] = ROLES.map((role) => ({
    label: admin.roles[role],
    checked: user.role === role,
    onSelect: () => void run(() => call('updateUser', { params: { id }, body: { user: { role } } })),
  }))
  const access: MenuItem[] = [
    user.suspended
      ? {
          label: admin.unsuspend,
          icon: 'check',
          onSelect: () =>
            void run(() => call('updateUser', { params: { id }, body: { user: { suspended: false } } })),
        }
      : { label: admin.suspend, icon: 'lock', onSelect: () => void suspend() },
    { label: admin.resetFactor, icon: 'key', onSelect: () => void resetFactor(id, name) },
  ]
  const me = state.session.value?.user.id === id
  const groups = [
    ...(user.invite_status === 'sent' ? [invitation(id)] : []),
    ...(me ? [] : [roles, access]),
    ...(me
      ? []
      : [[{ label: common.delete, icon: 'trash' as const, danger: true, onSelect: () => void remove() }]]),
  ]
  if (groups.length === 0) return null
  return (
    <Menu
      label={admin.actionsFor(name)}
      align="end"
      groups={groups}
      trigger={(props) => <ToolButton icon="more" label={admin.actionsFor(name)} {...props} />}
    />
  )
}

function invitation(id: number): MenuItem[] {
  const admin = adminWords()
  return [
    {
      label: admin.copyInvite,
      icon: 'link',
      onSelect: () =>
        void attempt(async () => {
          const { data } = await call('getInviteLink', { params: { id } })
          if (data.url) await copy(data.url)
          else toast(admin.noLink)
        }),
    },
    {
      label: admin.inviteAgain,
      icon: 'retry',
      onSelect: () =>
        void attempt(async () => {
          await call('resendInvite', { params: { id } })
          toast(admin.inviteSent)
        }),
    },
  ]
}

async function resetFactor(id: number, name: string) {
  const admin = adminWords()
  const { common } = words()
  const title = `${admin.resetFactor}: ${name}`
  const question = { title, text: admin.resetFactorText, action: admin.resetFactor, cancel: common.cancel }
  if (!(await confirm({ ...question, danger: true }))) return
  await attempt(async () => {
    try {
      await call('resetSecondFactor', { params: { id } })
      toast(admin.factorReset)
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status !== 404) throw error
      toast(admin.noFactor)
    }
  })
}

/** What would happen, in numbers; what there is none of is not told. */
function consequencesOf(preview: DeletionPreview): string {
  const { deletion, deleteKeeps } = adminWords()
  const kinds = Object.keys(deletion) as (keyof DeletionPreview)[]
  const told = kinds.filter((kind) => preview[kind] > 0).map((kind) => deletion[kind](preview[kind]))
  return [...told, deleteKeeps].join(' ')
}
