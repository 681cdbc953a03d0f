import { createHash } from 'node:crypto'
import type { Context } from '../../platform/context.js'
import type { Run } from '../run-state.js'

const HEADS: readonly [start: string, extension: string][] = [
  ['ffd8ff', 'jpg'],
  ['89504e47', 'png'],
  ['47494638', 'gif'],
  ['52494646', 'webp'],
]

async function extensionOf(run: Run, sha256: string): Promise<string> {
  const stream = await run.source.openFile(sha256)
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    stream.destroy()
    const head = chunk.subarray(0, 4).toString('hex')
    return HEADS.find(([start]) => head.startsWith(start))?.[1] ?? 'png'
  }
  return 'png'
}

/** A name that the same picture of the same thing gets again, so that a run which was broken off leaves no second one. */
function nameFor({ row }: Run, sha256: string, of: string): string {
  return createHash('sha256').update(`${row.workspace} ${of} ${sha256}`).digest('hex').slice(0, 40)
}

/** Copies a picture that no file has: of a person, a preview, a bot. Null where the portable file does not hold it. */
export async function storePicture(
  run: Run,
  sha256: string | null,
  of: string,
  keyOf: (name: string, extension: string) => string,
): Promise<string | null> {
  if (sha256 === null || run.dry) return null
  try {
    const key = keyOf(nameFor(run, sha256, of), await extensionOf(run, sha256))
    if (!(await hasObject(run.ctx, key))) await run.ctx.storage.write(key, await run.source.openFile(sha256))
    return key
  } catch {
    return null
  }
}

async function hasObject({ storage }: Context, key: string): Promise<boolean> {
  return (await storage.stat(key)) !== undefined
}
