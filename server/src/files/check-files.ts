import { posix } from 'node:path'
import type { ApiErrorItem, FileType } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { Problem, problemItem } from '../platform/problem.js'
import { measureImages } from './measure.js'
import { isInside } from './perimeter.js'
import { findPerimeter } from './queries.js'
import { isOwnKey } from './rules.js'

/** A width or height of null is known to be none; one that is left out may still be read from the content. */
export interface FileInput {
  key: string
  name: string
  file_type?: FileType
  size?: number
  width?: number | null
  height?: number | null
  duration_ms?: number
  waveform?: string
}

/** A file that may be attached: its object is there and belongs to the caller. */
export interface CheckedFile {
  key: string
  name: string
  file_type: FileType
  size: number
  width: number | null
  height: number | null
  duration_ms: number | null
  waveform: string | null
  protected: boolean
}

export const FILES_AT_MOST = 10
const VOICE_AT_MOST_MS = 1_800_000

function extension(name: string): string {
  return posix.extname(name).toLowerCase()
}

function voiceFaults(input: FileInput, at: string): ApiErrorItem[] {
  const faults: ApiErrorItem[] = []
  if (input.duration_ms === undefined) faults.push(problemItem('blank', { key: `${at}.duration_ms` }))
  else if (input.duration_ms < 1 || input.duration_ms > VOICE_AT_MOST_MS)
    faults.push(problemItem('invalid', { key: `${at}.duration_ms`, value: input.duration_ms }))
  if (!input.waveform) faults.push(problemItem('blank', { key: `${at}.waveform` }))
  return faults
}

function faultsOf(actor: Actor, input: FileInput, index: number): ApiErrorItem[] {
  const at = `files.${index}`
  const { key, name } = input
  const faults: ApiErrorItem[] = []
  if (!isOwnKey(actor, key)) faults.push(problemItem('wrong_params', { key: `${at}.key`, value: key }))
  if (name.trim() === '') faults.push(problemItem('blank', { key: `${at}.name` }))
  else if (extension(name) !== extension(key))
    faults.push(problemItem('wrong_params', { key: `${at}.name`, value: name }))
  for (const field of ['size', 'width', 'height'] as const) {
    const value = input[field]
    if (typeof value === 'number' && value < 0)
      faults.push(problemItem('invalid', { key: `${at}.${field}`, value }))
  }
  return input.file_type === 'voice' ? [...faults, ...voiceFaults(input, at)] : faults
}

function together(inputs: readonly FileInput[]): ApiErrorItem[] {
  if (inputs.length > FILES_AT_MOST) return [problemItem('too_long', { key: 'files', value: inputs.length })]
  const voices = inputs.filter(({ file_type }) => file_type === 'voice').length
  return voices > 0 && inputs.length > 1
    ? [problemItem('wrong_params', { key: 'files', message: 'a voice file stands alone' })]
    : []
}

/** Sound has a length, and only a voice has a waveform; pictures and videos have a size on the screen. */
function kept(input: FileInput, size: number, inside: boolean): CheckedFile {
  const file_type = input.file_type ?? 'file'
  const timed = file_type === 'voice' || file_type === 'audio' || file_type === 'video'
  return {
    key: input.key,
    name: input.name,
    file_type,
    size,
    width: input.width ?? null,
    height: input.height ?? null,
    duration_ms: timed ? (input.duration_ms ?? null) : null,
    waveform: file_type === 'voice' ? (input.waveform ?? null) : null,
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
  const faults = [...together(inputs), ...inputs.flatMap((input, index) => faultsOf(actor, input, index))]
  if (faults.length > 0) throw Problem.of(422, faults)

  const objects = await Promise.all(inputs.map(({ key }) => ctx.storage.stat(key)))
  const missing = inputs.flatMap(({ key }, index) =>
    objects[index] ? [] : [problemItem('not_found', { key: `files.${index}.key`, value: key })],
  )
  if (missing.length > 0) throw Problem.of(422, missing)

  const perimeter = actor.plan === 'corporation' ? await findPerimeter(ctx.db) : []
  const inside = isInside(perimeter, actor.ip_address)
  const measured = await measureImages(ctx, actor, inputs)
  return measured.map((input, index) => kept(input, objects[index]?.size ?? 0, inside))
}
