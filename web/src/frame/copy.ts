import { copyText } from '../platform/clipboard.js'
import { words } from '../platform/i18n.js'
import { toast } from '../ui/toast.js'

/** Copies a text, and says whether it is copied. */
export async function copy(text: string) {
  const { common } = words()
  await copyText(text).then(
    () => toast(common.copied),
    () => toast(common.failed, { look: 'bad' }),
  )
}
