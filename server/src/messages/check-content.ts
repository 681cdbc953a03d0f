import type { ApiErrorItem, ButtonRows } from '@parley/contract'
import { type Actor, isBot } from '../platform/actor.js'
import { type ProblemDetail, problemItem } from '../platform/problem.js'

export const CONTENT_BYTES = 40_000
const BUTTONS_AT_MOST = 100
const ROWS_AT_MOST = 32
const ROW_AT_MOST = 8

/** What is wrong with a text: too long, or nothing at all where no file speaks for it. */
export function contentFaults(content: string, hasFiles: boolean): ApiErrorItem[] {
  if (Buffer.byteLength(content) > CONTENT_BYTES) return [problemItem('too_long', { key: 'content' })]
  return content.trim() === '' && !hasFiles ? [problemItem('blank', { key: 'content' })] : []
}

const OPENED = new Set(['http:', 'https:', 'mailto:', 'tel:'])

/** Whether clients may open this address: one that runs as a script in them may not be handed out. */
function opens(url: string): boolean {
  return URL.canParse(url) && OPENED.has(new URL(url).protocol)
}

/** What is wrong with the buttons; each opens a link or says something to its bot, never both. */
export function buttonFaults(rows: ButtonRows): ApiErrorItem[] {
  const faults: ApiErrorItem[] = []
  const fault = (
    code: 'too_long' | 'blank' | 'wrong_params' | 'invalid',
    key: string,
    detail: ProblemDetail = {},
  ) => faults.push(problemItem(code, { key, ...detail }))
  if (rows.length > ROWS_AT_MOST || rows.flat().length > BUTTONS_AT_MOST) fault('too_long', 'buttons')
  rows.forEach((row, y) => {
    if (row.length === 0) fault('blank', `buttons.${y}`)
    if (row.length > ROW_AT_MOST) fault('too_long', `buttons.${y}`)
    row.forEach((button, x) => {
      const at = `buttons.${y}.${x}`
      if (button.text.trim() === '') fault('blank', `${at}.text`)
      if ((button.url === undefined) === (button.data === undefined))
        fault('wrong_params', at, { message: 'has exactly one of url and data' })
      if (button.url !== undefined && !opens(button.url))
        fault('invalid', `${at}.url`, {
          value: button.url,
          message: 'must be an http, https, mailto or tel address',
        })
    })
  })
  return faults
}

/** No buttons and an empty list of them are the same. */
export function keptButtons(rows: ButtonRows | undefined): string | null {
  if (!rows || rows.length === 0) return null
  const kept = rows.map((row) => row.map(({ text, url, data }) => ({ text, url, data })))
  return JSON.stringify(kept)
}

interface Labelled {
  buttons?: ButtonRows
  display_name?: string | null
  files?: readonly { name: string }[]
}

/** Every text of a message beside its content; people have neither buttons nor a name of their own choice. */
export function labelsOf(actor: Actor, { buttons = [], display_name, files = [] }: Labelled): string[] {
  const names = files.map(({ name }) => name)
  if (!isBot(actor)) return names
  const onButtons = buttons.flat().flatMap(({ text, url, data }) => [text, url ?? '', data ?? ''])
  return [...onButtons, display_name ?? '', ...names].filter((text) => text !== '')
}
