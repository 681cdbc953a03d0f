import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import type { UploadRefusal, UploadRules } from '../platform/storage/receive-form.js'
import { isAttached, lockUploads, sumUploads, upsertUpload } from './queries.js'

const denied = (message: string): UploadRefusal => ({ code: 'AccessDenied', message })
const IN_USE = denied('the file is in use and stays as it is')
const USED = denied('the form was used for another file: ask for a new one')

/** `attaches/files/USER/FORM/NAME`; the policy has vouched for all but the name. */
function partsOf(key: string) {
  return { key, key_prefix: key.slice(0, key.lastIndexOf('/') + 1), user_id: Number(key.split('/')[2]) }
}

/** A form carries one file, which may come again until a message has it, and a person so much in a time. */
export function uploadRules(ctx: Context, since: Date): UploadRules {
  const quota = ctx.config.upload_quota_bytes
  const message = `a person may upload ${quota} bytes in 14 days, and that would be more`
  const full: UploadRefusal = { code: 'QuotaExceeded', message }
  return {
    async mayBegin(key) {
      const { user_id, key_prefix } = partsOf(key)
      const { bytes } = await sumUploads(ctx.db, user_id, key_prefix, since)
      return bytes >= quota ? full : undefined
    },
    async mayKeep(key, size) {
      // A form lives 14 days; what was sent meanwhile cannot be changed behind the readers' backs.
      if (await isAttached(ctx.db, key)) return IN_USE
      const upload = { ...partsOf(key), bytes: size, uploaded_at: now(ctx.clock) }
      return transaction(ctx, async (tx) => {
        await lockUploads(tx, upload.user_id)
        const { bytes } = await sumUploads(tx, upload.user_id, upload.key_prefix, since)
        if (bytes + size > quota) return full
        return (await upsertUpload(tx, upload)) ? undefined : USED
      })
    },
  }
}
