import type { ApiErrorItem, ButtonRows } from '@parley/contract'
import { type Actor, isBot } from '../platform/actor.js'
import { BLANK } from '../platform/http/fault-text.js'
import { problemItem } from '../platform/problem.js'

export const CONTENT_BYTES = 40_000
export const BOTS_ONLY = 'You are not allowed to do this: only bots choose a name and a picture for a message'
const BUTTONS_AT_MOST = 100
const ROWS_AT_MOST = 32
const ROW_AT_MOST = 8

/** What is wrong with a text: too long, or nothing at all where no file speaks for it. */
export function contentFaults(content: string, hasFiles: boolean): ApiErrorItem[] {
  const bytes = Buffer.byteLength(content)
  if (bytes > CONTENT_BYTES)
    return [
      problemItem('too_long', { key: 'content', message: `at most ${CONTENT_BYTES} bytes, got ${bytes}` }),
    ]
  const blank = problemItem('blank', { key: 'content', message: 'must not be empty without files' })
  return content.trim() === '' && !hasFiles ? [blank] : []
}

const OPENED = /^(?:https?:\/\/|mailto:|tel:)/i

/**
 * Whether clients may open this address: one that runs as a script in them may not be handed out. Browsers leave out control
 * characters and what stands before the scheme; other clients read the text as it is.
 */
function opens(url: string): boolean {
  return OPENED.test(url) && !/\p{Cc}/u.test(url) && URL.canParse(url)
}

/** What is wrong with the buttons; each opens a link or says something to its bot, never both. */
export function buttonFaults(rows: ButtonRows): ApiErrorItem[] {
  const faults: ApiErrorItem[] = []
  const fault = (
    code: 'too_long' | 'blank' | 'wrong_params' | 'invalid',
    key: string,
    message: string,
    value?: string,
  ) => faults.push(problemItem(code, { key, message, value }))
  const count = rows.reduce((sum, row) => sum + row.length, 0)
  if (rows.length > ROWS_AT_MOST)
    fault('too_long', 'buttons', `at most ${ROWS_AT_MOST} rows, got ${rows.length}`)
  else if (count > BUTTONS_AT_MOST)
    fault('too_long', 'buttons', `at most ${BUTTONS_AT_MOST} buttons, got ${count}`)
  rows.forEach((row, y) => {
    if (row.length === 0) fault('blank', `buttons.${y}`, 'must have a button')
    if (row.length > ROW_AT_MOST)
      fault('too_long', `buttons.${y}`, `at most ${ROW_AT_MOST} buttons in a row, got ${row.length}`)
    row.forEach((button, x) => {
      const at = `buttons.${y}.${x}`
      if (button.text.trim() === '') fault('blank', `${at}.text`, BLANK)
      if ((button.url === undefined) === (button.data === undefined))
        fault('wrong_params', at, 'has exactly one of url and data')
      if (button.url !== undefined && !opens(button.url))
        fault(
          'invalid',
          `${at}.url`,
          'must be an http, https, mailto or tel address, without control characters',
          button.url,
        )
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

/** Every text of a message except its content; people have neither buttons nor a name of their own choice. */
export function labelsOf(actor: Actor, { buttons = [], display_name, files = [] }: Labelled): string[] {
  const names = files.map(({ name }) => name)
  if (!isBot(actor)) return names
  const onButtons = buttons.flat().flatMap(({ text, url, data }) => [text, url ?? '', data ?? ''])
  return [...onButtons, display_name ?? '', ...names].filter((text) => text !== '')
}
