import type { View, ViewBlockUnion } from '@parley/contract'
import type { Fault } from '../platform/api.js'
import type { Change } from '../platform/changes.js'
import type { Area } from '../platform/store.js'

/** Forms that bots opened for the person, newest first. */
export type Views = readonly View[]

export const views: Area<Views> = {
  initial: [],
  reduce(state, change: Change) {
    if (change.type === 'started') return change.start.views
    if (change.type === 'views') return change.views
    if (change.type === 'signed_out') return []
    if (change.type !== 'live' || change.frame.type !== 'view.closed') return state
    const { view_id } = change.frame.payload
    return state.some(({ id }) => id === view_id) ? state.filter(({ id }) => id !== view_id) : state
  },
}

/** A block that is filled in. */
export type FormField = Extract<ViewBlockUnion, { name: string }>

export interface FileAnswer {
  key: string
  name: string
}
/** Texts, dates, times and single choices are strings; several choices and files are lists. */
export type FormAnswer = string | readonly string[] | readonly FileAnswer[]
export type Answers = Readonly<Record<string, FormAnswer>>

const isField = (block: ViewBlockUnion): block is FormField => 'name' in block

function initialAnswer(field: FormField): FormAnswer {
  switch (field.type) {
    case 'input':
      return field.initial_value ?? ''
    case 'date':
      return field.initial_date ?? ''
    case 'time':
      return field.initial_time?.slice(0, 5) ?? ''
    case 'select':
      return field.options?.find(({ selected }) => selected)?.value ?? ''
    case 'radio':
      return field.options?.find(({ selected, checked }) => selected || checked)?.value ?? ''
    case 'checkbox':
      return (field.options ?? []).filter(({ checked }) => checked).map(({ value }) => value)
    case 'file_input':
      return []
  }
}

/** What the form holds when it opens. */
export function initialAnswers({ blocks }: Pick<View, 'blocks'>): Answers {
  return Object.fromEntries(blocks.filter(isField).map((field) => [field.name, initialAnswer(field)]))
}

/** What is sent: null where nothing was filled in. */
export function submittedAnswers(answers: Answers): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [name, answer.length === 0 ? null : answer]),
  )
}

/** Texts by field, and those that belong to the form as a whole. */
export interface FormErrors {
  fields: Readonly<Record<string, string>>
  whole: readonly string[]
}

/** Sorts the faults of an answer under the fields they name. `wordsOf` puts a code into words. */
export function errorsOf(
  { blocks }: Pick<View, 'blocks'>,
  faults: readonly Fault[],
  wordsOf: (fault: Fault, field: FormField | undefined) => string,
): FormErrors {
  const fields: Record<string, string> = {}
  const whole: string[] = []
  for (const fault of faults) {
    const field = blocks.filter(isField).find(({ name }) => name === fault.key)
    const text = wordsOf(fault, field)
    if (field) fields[field.name] ??= text
    else whole.push(text)
  }
  return { fields, whole }
}
