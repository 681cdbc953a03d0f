import type { ViewSubmitFile } from '@parley/contract'
import { checkFiles } from '../files/check-files.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { Problem, problemItem } from '../platform/problem.js'
import { HOUR_MS } from '../platform/time.js'
import type { UploadedFile } from './check-answers.js'

const LINK_MS = 2 * HOUR_MS

/** Faults of a file are reported under its field. */
async function checkField(ctx: Context, actor: Actor, name: string, files: UploadedFile[]) {
  try {
    return await checkFiles(ctx, actor, files)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw Problem.of(
      422,
      error.errors.map(({ code, value, message }) => problemItem(code, { key: name, value, message })),
    )
  }
}

export interface SubmittedFiles {
  keys: string[]
  links: Map<string, ViewSubmitFile[]>
}

/** Uploads of the caller as links that the bot can follow for two hours. It asks the storage: not in a transaction. */
export async function linkFiles(
  ctx: Context,
  actor: Actor,
  fields: ReadonlyMap<string, UploadedFile[]>,
): Promise<SubmittedFiles> {
  const expires_at = new Date(ctx.clock.now() + LINK_MS)
  const submitted: SubmittedFiles = { keys: [], links: new Map() }
  for (const [name, files] of fields) {
    const checked = await checkField(ctx, actor, name, files)
    const links = checked.map(async (file) => {
      const options = { expires_at, filename: file.name, disposition: 'attachment' as const }
      const url = await ctx.storage.signedUrl(file.key, options)
      return { name: file.name, size: file.size, url }
    })
    submitted.links.set(name, await Promise.all(links))
    submitted.keys.push(...checked.map(({ key }) => key))
  }
  return submitted
}
