import type { ApiErrorItem, OpenViewRequest, ViewBlockUnion } from '@parley/contract'
import { BLANK, NO_ITEMS } from '../platform/http/fault-text.js'
import { Problem, problemItem } from '../platform/problem.js'
import type { Form } from './queries.js'

type Fault = [code: 'blank' | 'invalid' | 'taken', key: string, message: string, value?: unknown]
type Named = Extract<ViewBlockUnion, { name: string }>
type Choice = Extract<ViewBlockUnion, { options?: unknown }>

export function isField(block: ViewBlockUnion): block is Named {
  return 'name' in block
}

function isChoice(block: ViewBlockUnion): block is Choice {
  return block.type === 'select' || block.type === 'radio' || block.type === 'checkbox'
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}

/** A day that the calendar has. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** Hours and minutes; seconds are accepted and dropped. */
export function readTime(text: string): string | undefined {
  return /^(?:[01]\d|2[0-3]):[0-5]\d(?=(?::[0-5]\d)?$)/.exec(text)?.[0]
}

function optionFaults(block: Choice, at: string): Fault[] {
  const options = block.options ?? []
  if (options.length === 0) return [['blank', `${at}.options`, NO_ITEMS]]
  const faults: Fault[] = []
  const seen = new Set<string>()
  options.forEach(({ text, value }, index) => {
    const here = `${at}.options.${index}`
    if (isBlank(text)) faults.push(['blank', `${here}.text`, BLANK, text])
    if (value === '') faults.push(['blank', `${here}.value`, BLANK, value])
    else if (seen.has(value))
      faults.push(['taken', `${here}.value`, 'is the value of an option before it', value])
    seen.add(value)
  })
  const chosen = options.filter((option) => isPreselected(block, option)).length
  if (block.type !== 'checkbox' && chosen > 1)
    faults.push(['invalid', `${at}.options`, `at most 1 option is chosen, got ${chosen}`, chosen])
  return faults
}

function isPreselected(block: Choice, option: { selected?: boolean; checked?: boolean }): boolean {
  if (block.type === 'select') return option.selected === true
  return option.checked === true || (block.type === 'radio' && option.selected === true)
}

function fieldFaults(block: Named, at: string): Fault[] {
  if (isChoice(block)) return optionFaults(block, at)
  if (block.type === 'input') {
    const { min_length = 0, max_length = 3000 } = block
    return min_length > max_length
      ? [['invalid', `${at}.min_length`, `must be at most max_length, ${max_length}`, min_length]]
      : []
  }
  if (block.type === 'date' && block.initial_date !== undefined && !isDate(block.initial_date))
    return [['invalid', `${at}.initial_date`, 'must be a date such as 2030-01-31', block.initial_date]]
  if (block.type !== 'file_input') return []
  const empty = (block.filetypes ?? []).findIndex(isBlank)
  return empty < 0 ? [] : [['blank', `${at}.filetypes.${empty}`, BLANK]]
}

function blockFaults(block: ViewBlockUnion, index: number, names: Set<string>): Fault[] {
  const at = `view.blocks.${index}`
  if ('text' in block) return isBlank(block.text) ? [['blank', `${at}.text`, BLANK, block.text]] : []
  if (!isField(block)) return []
  const faults: Fault[] = []
  if (isBlank(block.name)) faults.push(['blank', `${at}.name`, BLANK, block.name])
  else if (names.has(block.name))
    faults.push(['taken', `${at}.name`, 'is the name of a field before it', block.name])
  names.add(block.name)
  if (isBlank(block.label)) faults.push(['blank', `${at}.label`, BLANK, block.label])
  return [...faults, ...fieldFaults(block, at)]
}

function withShortTime(block: ViewBlockUnion): ViewBlockUnion {
  if (block.type !== 'time' || block.initial_time === undefined) return block
  return { ...block, initial_time: readTime(block.initial_time) ?? block.initial_time }
}

/** Refuses a form that cannot be shown or filled in, with every fault by its path; gives it whole. */
export function checkForm({ trigger_id, view }: OpenViewRequest): Form {
  const names = new Set<string>()
  const faults: Fault[] = [
    ...(isBlank(trigger_id) ? [['blank', 'trigger_id', BLANK, trigger_id] as Fault] : []),
    ...(isBlank(view.title) ? [['blank', 'view.title', BLANK, view.title] as Fault] : []),
    ...(view.blocks.length === 0 ? [['blank', 'view.blocks', NO_ITEMS] as Fault] : []),
    ...view.blocks.flatMap((block, index) => blockFaults(block, index, names)),
  ]
  if (faults.length > 0) {
    const items: ApiErrorItem[] = faults.map(([code, key, message, value]) =>
      problemItem(code, { key, value, message }),
    )
    throw Problem.of(422, items)
  }
  return {
    title: view.title,
    close_text: view.close_text || 'Cancel',
    submit_text: view.submit_text || 'Submit',
    blocks: view.blocks.map(withShortTime),
  }
}
