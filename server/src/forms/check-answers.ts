import type { ApiErrorItem, ErrorCode, ViewBlockUnion } from '@parley/contract'
import { countCharacters, countText, lengthText, oneOf } from '../platform/http/fault-text.js'
import { problemItem } from '../platform/problem.js'
import { isDate, isField, readTime } from './check-form.js'
import type { Form } from './queries.js'

type Field = Extract<ViewBlockUnion, { name: string }>
type Value = string | string[] | null
export interface UploadedFile {
  key: string
  name: string
}

/** What was filled in, by field name; files apart, since they must be looked up. */
export interface Answers {
  values: Map<string, Value>
  files: Map<string, UploadedFile[]>
  faults: ApiErrorItem[]
}

type Read = { value: Value } | { files: UploadedFile[] } | { code: ErrorCode; message: string }

const FILES_AT_MOST = 10
const TEXT_AT_MOST = 3000

function isFilled(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false
  return !Array.isArray(value) || value.length > 0
}

function readText(field: Extract<Field, { type: 'input' }>, text: string): Read {
  const length = countCharacters(text)
  const { min_length = 0, max_length = TEXT_AT_MOST } = field
  if (length < min_length)
    return { code: 'min_length', message: `at least ${min_length} characters, got ${length}` }
  if (length > max_length) return { code: 'max_length', message: lengthText(max_length, length) }
  return { value: text }
}

function readChoices(options: readonly { value: string }[] = [], chosen: unknown): Read {
  const known = new Set(options.map(({ value }) => value))
  if (!Array.isArray(chosen) || !chosen.every((value) => known.has(value)))
    return { code: 'invalid', message: `must be a list out of ${[...known].join(', ')}` }
  return { value: [...new Set(chosen as string[])] }
}

function isUpload(value: unknown): value is UploadedFile {
  const { key, name } = (value ?? {}) as Partial<UploadedFile>
  return typeof key === 'string' && typeof name === 'string' && name.trim() !== ''
}

function readFiles(field: Extract<Field, { type: 'file_input' }>, value: unknown): Read {
  if (!Array.isArray(value) || !value.every(isUpload))
    return { code: 'invalid', message: 'must be a list of uploads, each with key and name' }
  const { max_files = FILES_AT_MOST } = field
  if (value.length > max_files) return { code: 'too_long', message: countText(max_files, value.length) }
  return { files: value.map(({ key, name }) => ({ key, name })) }
}

function readFilled(field: Field, value: unknown): Read {
  if (field.type === 'checkbox') return readChoices(field.options, value)
  if (field.type === 'file_input') return readFiles(field, value)
  if (typeof value !== 'string') return { code: 'invalid', message: 'must be text' }
  if (field.type === 'input') return readText(field, value)
  if (field.type === 'date')
    return isDate(value) ? { value } : { code: 'invalid', message: 'must be a date such as 2030-01-31' }
  if (field.type === 'time') {
    const time = readTime(value)
    return time === undefined ? { code: 'invalid', message: 'must be a time such as 09:30' } : { value: time }
  }
  const words = (field.options ?? []).map((option) => option.value)
  return words.includes(value) ? { value } : { code: 'invalid', message: oneOf(words) }
}

function readField(field: Field, value: unknown): Read {
  if (isFilled(value)) return readFilled(field, value)
  if (field.required) return { code: 'blank', message: 'must be filled in' }
  return { value: field.type === 'checkbox' || field.type === 'file_input' ? [] : null }
}

/** Repeats the checks of the client. Names of no field of the form are ignored. */
export function readAnswers(form: Form, data: Record<string, unknown>): Answers {
  const answers: Answers = { values: new Map(), files: new Map(), faults: [] }
  for (const field of form.blocks.filter(isField)) {
    const { name } = field
    const read = readField(field, Object.hasOwn(data, name) ? data[name] : undefined)
    if ('code' in read) answers.faults.push(problemItem(read.code, { key: name, message: read.message }))
    else if ('files' in read) answers.files.set(name, read.files)
    else answers.values.set(name, read.value)
  }
  return answers
}
