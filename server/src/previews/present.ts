import type { ShownLinkPreview } from '@parley/contract'
import { linkEnd } from '../files/present.js'
import type { Context } from '../platform/context.js'
import { mediaTypeOf } from '../platform/storage/media-type.js'
import type { PreviewRow } from './queries.js'

function imageOf(ctx: Context, row: PreviewRow): Promise<string> | string | null {
  if (row.image_key === null) return row.image_url
  return ctx.storage.signedUrl(row.image_key, {
    expires_at: linkEnd(row.message_id, ctx.clock.now()),
    filename: row.image_key.split('/').at(-1) ?? 'image',
    content_type: mediaTypeOf(row.image_key),
    disposition: 'inline',
  })
}

export async function presentPreview(ctx: Context, row: PreviewRow): Promise<ShownLinkPreview> {
  const { message_id, url, title, description } = row
  return { message_id, url, title, description, image_url: await imageOf(ctx, row) }
}
