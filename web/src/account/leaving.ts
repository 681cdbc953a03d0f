import { countUploads } from '../composer/running-uploads.js'
import { flushDrafts } from '../drafts/actions.js'
import { countEdits } from '../messages/kept-edits.js'
import { words } from '../platform/i18n.js'
import { outbox } from '../platform/outbox.js'
import { signOut } from '../sync.js'
import { confirm } from '../ui/confirm.js'

/** Whether to go on, after asking where something would be lost: signing out leaves nothing on the device. */
export async function mayLeave(): Promise<boolean> {
  const drafts = await flushDrafts()
  const unsaved = {
    messages: outbox.value.length,
    drafts,
    edits: countEdits(),
    uploads: countUploads(),
  }
  if (Object.values(unsaved).every((count) => count === 0)) return true
  const { account, common } = words()
  const isUnsent = unsaved.messages + unsaved.drafts + unsaved.uploads > 0
  return confirm({
    title: isUnsent ? account.leaveTitle : account.leaveEditsTitle,
    text: account.leaveText(unsaved),
    action: account.signOut,
    cancel: common.cancel,
    danger: true,
  })
}

/** Signs out, unless something is unsent and the person stays for it. */
export async function leave() {
  if (await mayLeave()) await signOut()
}
