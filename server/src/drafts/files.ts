import type { DraftFileInput, FileType } from '@parley/contract'
import { type CheckedFile, checkFiles, type FileInput, type FileRow } from '../files/attach.js'
import { MEASURED } from '../files/measure.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { Problem, problemItem } from '../platform/problem.js'

/** An attached file, as input for attaching it again. */
function asInput(row: FileRow): FileInput & { file_type: FileType; size: number } {
  const { key, name, size, width, height, measured_width, measured_height, duration_ms, waveform } = row
  const optional = { duration_ms, waveform }
  const known = Object.entries(optional).filter(([, value]) => value !== null)
  const file_type = row.file_type as FileType
  const measured =
    measured_width === null || measured_height === null
      ? null
      : { width: measured_width, height: measured_height }
  return { key, name, file_type, size, width, height, [MEASURED]: measured, ...Object.fromEntries(known) }
}

/** The same, to be attached to the message that is sent. It was checked when the draft got it. */
export function asChecked(row: FileRow): CheckedFile {
  const { key, name, size, width, height, measured_width, measured_height, duration_ms, waveform } = row
  const sizes = { size, width, height, measured_width, measured_height, duration_ms }
  return { key, name, file_type: row.file_type as FileType, ...sizes, waveform, protected: row.protected }
}

/** The files of a draft, checked. One with an id stays as it is; an id that the draft does not have is refused. */
export async function checkDraftFiles(
  ctx: Context,
  actor: Actor,
  given: readonly DraftFileInput[],
  attached: readonly FileRow[],
): Promise<CheckedFile[]> {
  const byId = new Map(attached.map((row) => [row.id, row]))
  const unknown = given.flatMap(({ id }, index) =>
    id === undefined || byId.has(id)
      ? []
      : [
          problemItem('not_found', {
            key: `files.${index}.id`,
            value: id,
            message: 'the draft has no file with this id',
          }),
        ],
  )
  if (unknown.length > 0) throw Problem.of(422, unknown)
  const inputs = given.map(({ id, ...input }) => {
    const kept = id === undefined ? undefined : byId.get(id)
    return kept ? asInput(kept) : input
  })
  return checkFiles(ctx, actor, inputs)
}
