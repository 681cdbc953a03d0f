import { randomUUID } from 'node:crypto'
import type { Perimeter, UploadParams } from '@parley/contract'
import { updateWorkspace } from '../company/queries.js'
import type { Actor } from '../platform/actor.js'
import { isAddressRange } from '../platform/address-range.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { NETWORK } from '../platform/http/fault-text.js'
import { Problem, problemItem } from '../platform/problem.js'
import { DAY_MS } from '../platform/time.js'
import { upsertLooseObjects } from './queries.js'
import { isDisk, UNUSED_MS } from './storage-routes.js'

const FORM_MS = 14 * DAY_MS

/** A form for one upload. An external store does not report uploads, so we look there after the form has expired. */
export async function openUpload(ctx: Context, actor: Actor): Promise<UploadParams> {
  const key_prefix = `attaches/files/${actor.user_id}/${randomUUID()}/`
  const { fields, direct_url } = await ctx.storage.uploadForm({
    key_prefix,
    max_bytes: ctx.config.max_upload_bytes,
    expires_in_s: FORM_MS / 1000,
  })
  if (!isDisk(ctx.storage))
    await upsertLooseObjects(ctx.autocommit, [key_prefix], new Date(ctx.clock.now() + FORM_MS + UNUSED_MS))
  return { ...fields, direct_url } as UploadParams
}

export async function changePerimeter(ctx: Context, { addresses }: Perimeter): Promise<Perimeter> {
  const trimmed = [...new Set(addresses.map((address) => address.trim()))]
  const faults = trimmed.flatMap((value, index) =>
    isAddressRange(value)
      ? []
      : [problemItem('invalid', { key: `addresses.${index}`, value, message: NETWORK })],
  )
  if (faults.length > 0) throw Problem.of(422, faults)
  await transaction(ctx, (tx) => updateWorkspace(tx, { perimeter: trimmed }))
  return { addresses: trimmed }
}
