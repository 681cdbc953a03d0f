import { posix } from 'node:path'
import type { ApiErrorItem, FileType } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import { isInside } from '../platform/address-range.js'
import type { Context } from '../platform/context.js'
import { BLANK, countText } from '../platform/http/fault-text.js'
import { shortened } from '../platform/http/shortened.js'
import { Problem, problemItem } from '../platform/problem.js'
import { BAD_NAME } from '../platform/storage/receive-form.js'
import { MEASURED, measureImages, type Size } from './measure.js'
import { findPerimeter, listFilesByKey } from './queries.js'
import { isOwnKey } from './rules.js'

export interface FileInput {
  key: string
  name: string
  file_type?: FileType
  size?: number
  width?: number | null
  height?: number | null
  /** Measured from the content. Null: there is none; left out: not measured yet. */
  [MEASURED]?: Size | null
  /** Read for what has a length alone, so the check of the body leaves these two aside. */
  duration_ms?: unknown
  waveform?: unknown
}

/** A file that may be attached: its object is there, and the caller uploaded it or has it in a message or draft. */
export interface CheckedFile {
  key: string
  name: string
  file_type: FileType
  size: number
  width: number | null
  height: number | null
  measured_width: number | null
  measured_height: number | null
  duration_ms: number | null
  waveform: string | null
  protected: boolean
}

export const NO_UPLOAD = 'no file was uploaded under this key, or it was erased: upload it again'
const missingText = (key: string) => (isUnnamed(key) ? UNNAMED : NO_UPLOAD)
export const FILES_AT_MOST = 10
/** In the key of the answer to POST /uploads; the storage knows the file by its name. */
const NAME_PLACE = '${filename}'
const UNNAMED = `must have the name of the file in the place of ${NAME_PLACE}`
const FILE_NAME = 'must be the name of a file, without slashes and control characters'
const VOICE_AT_MOST_MS = 1_800_000
const LENGTH_AT_MOST_MS = 2 ** 31 - 1
const WAVEFORM_AT_MOST = 256

function extension(name: string): string {
  return posix.extname(name).toLowerCase()
}

/** A name with another extension would let one kind of file pass for another. */
function extensionFault({ key, name }: FileInput, at: string): ApiErrorItem {
  if (isUnnamed(key)) return problemItem('wrong_params', { key: `${at}.key`, value: key, message: UNNAMED })
  const wanted = extension(key)
  const message =
    wanted === '' ? 'must have no extension, like the upload' : `must end in ${wanted}, like the upload`
  return problemItem('wrong_params', { key: `${at}.name`, value: name, message })
}

const isUnnamed = (key: string) => key.endsWith(`/${NAME_PLACE}`)

const TIMED: readonly unknown[] = ['voice', 'audio', 'video']

function isDuration(value: unknown, most: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= most
}

/** Sound and moving pictures have a length; a voice must state it, with its waveform. */
function timedFaults(input: FileInput, at: string): ApiErrorItem[] {
  const { duration_ms, waveform, file_type } = input
  const faults: ApiErrorItem[] = []
  const needed = file_type === 'voice'
  const most = needed ? VOICE_AT_MOST_MS : LENGTH_AT_MOST_MS
  const blank = (name: string) =>
    problemItem('blank', { key: `${at}.${name}`, message: 'is needed for a voice message' })
  if (duration_ms === undefined || duration_ms === null) {
    if (needed) faults.push(blank('duration_ms'))
  } else if (!isDuration(duration_ms, most)) {
    const message = `must be a whole number from 1 to ${most}${needed ? ' (30 minutes)' : ''}`
    faults.push(problemItem('invalid', { key: `${at}.duration_ms`, value: shortened(duration_ms), message }))
  }
  if (waveform === undefined || waveform === null || waveform === '') {
    if (needed) faults.push(blank('waveform'))
  } else if (typeof waveform !== 'string') {
    const value = shortened(waveform)
    faults.push(problemItem('invalid', { key: `${at}.waveform`, value, message: 'must be text' }))
  } else if (waveform.length > WAVEFORM_AT_MOST) {
    const message = `at most ${WAVEFORM_AT_MOST} characters, got ${waveform.length}`
    faults.push(problemItem('too_long', { key: `${at}.waveform`, value: shortened(waveform), message }))
  }
  return faults
}

function namingFaults(actor: Actor, { key, name }: FileInput, at: string): ApiErrorItem[] {
  const faults: ApiErrorItem[] = []
  if (!isOwnKey(actor, key))
    faults.push(
      problemItem('wrong_params', {
        key: `${at}.key`,
        value: key,
        message: 'must be the key of your own upload',
      }),
    )
  if (name.trim() === '') faults.push(problemItem('blank', { key: `${at}.name`, message: BLANK }))
  else if (BAD_NAME.test(name))
    faults.push(problemItem('wrong_params', { key: `${at}.name`, value: name, message: FILE_NAME }))
  else if (extension(name) !== extension(key)) faults.push(extensionFault({ key, name }, at))
  return faults
}

/**
 * Whether a message or draft of the caller has the file already. An import keeps equal files of all people under one key, which is
 * that of nobody's upload and may have another extension.
 */
async function isAttached(ctx: Context, actor: Actor, { key, name }: FileInput): Promise<boolean> {
  const rows = await listFilesByKey(ctx.db, actor.user_id, key)
  return rows.some((row) => row.name === name)
}

async function faultsOf(
  ctx: Context,
  actor: Actor,
  input: FileInput,
  index: number,
): Promise<ApiErrorItem[]> {
  const at = `files.${index}`
  const naming = namingFaults(actor, input, at)
  const faults = naming.length > 0 && (await isAttached(ctx, actor, input)) ? [] : naming
  for (const field of ['size', 'width', 'height'] as const) {
    const value = input[field]
    if (typeof value === 'number' && value < 0)
      faults.push(problemItem('invalid', { key: `${at}.${field}`, value, message: 'must be at least 0' }))
  }
  return TIMED.includes(input.file_type) ? [...faults, ...timedFaults(input, at)] : faults
}

function together(inputs: readonly FileInput[]): ApiErrorItem[] {
  if (inputs.length > FILES_AT_MOST)
    return [problemItem('too_long', { key: 'files', message: countText(FILES_AT_MOST, inputs.length) })]
  const voices = inputs.filter(({ file_type }) => file_type === 'voice').length
  return voices > 0 && inputs.length > 1
    ? [problemItem('wrong_params', { key: 'files', message: 'a voice file stands alone' })]
    : []
}

/** Sound has a length, only a voice has a waveform, and only a picture has a size on the screen. */
function kept(input: FileInput, size: number, inside: boolean): CheckedFile {
  const file_type = input.file_type ?? 'file'
  const pictured = file_type === 'image'
  return {
    key: input.key,
    name: input.name,
    file_type,
    size,
    width: pictured ? (input.width ?? null) : null,
    height: pictured ? (input.height ?? null) : null,
    measured_width: (pictured && input[MEASURED]?.width) || null,
    measured_height: (pictured && input[MEASURED]?.height) || null,
    duration_ms: TIMED.includes(file_type)
      ? ((input.duration_ms as number | null | undefined) ?? null)
      : null,
    waveform: file_type === 'voice' ? (input.waveform as string) : null,
    protected: inside,
  }
}

/**
 * Checks the files of a message or a draft before they are attached, and refuses with every fault it finds. It asks
 * the storage, so it runs before a transaction is opened.
 */
export async function checkFiles(
  ctx: Context,
  actor: Actor,
  inputs: readonly FileInput[] = [],
): Promise<CheckedFile[]> {
  if (inputs.length === 0) return []
  const crowd = together(inputs)
  const single = await Promise.all(
    inputs.slice(0, FILES_AT_MOST).map((input, index) => faultsOf(ctx, actor, input, index)),
  )
  const faults = [...crowd, ...single.flat()]
  if (faults.length > 0) throw Problem.of(422, faults)

  const objects = await Promise.all(inputs.map(({ key }) => ctx.storage.stat(key)))
  const missing = inputs.flatMap(({ key }, index) =>
    objects[index]
      ? []
      : [problemItem('not_found', { key: `files.${index}.key`, value: key, message: missingText(key) })],
  )
  if (missing.length > 0) throw Problem.of(422, missing)

  const perimeter = actor.plan === 'corporation' ? await findPerimeter(ctx.db) : []
  const inside = isInside(perimeter, actor.ip_address)
  const measured = await measureImages(ctx, actor, inputs)
  return measured.map((input, index) => kept(input, objects[index]?.size ?? 0, inside))
}
