import { flushDrafts } from '../drafts/actions.js'
import { words } from '../platform/i18n.js'
import { outbox } from '../platform/outbox.js'
import { signOut } from '../sync.js'
import { confirm } from '../ui/confirm.js'

/** Whether to go on, after asking where something would be lost: signing out leaves nothing on the device. */
export async function mayLeave(): Promise<boolean> {
  const drafts = await flushDrafts()
  const messages = outbox.value.length
  if (messages === 0 && drafts === 0) return true
  const { account, common } = words()
  return confirm({
    title: account.leaveTitle,
    text: account.leaveText(messages, drafts),
    action: account.signOut,
    cancel: common.cancel,
    danger: true,
  })
}

/** Signs out, unless something is unsent and the person stays for it. */
export async function leave() {
  if (await mayLeave()) await signOut()
}
