import { differenceOf } from './marks.js'

/** False where the browser has no such command, or does not run it here. */
function run(command: string, piece?: string): boolean {
  try {
    return document.execCommand(command, false, piece)
  } catch {
    return false
  }
}

type Field = Pick<
  HTMLTextAreaElement,
  'value' | 'focus' | 'setSelectionRange' | 'setRangeText' | 'dispatchEvent'
>

/**
 * Replaces the part of a field that differs as if it were typed, so that it can be undone; where the browser does not,
 * without that. The field tells of it by an input event either way.
 */
export function typeIn(field: Field, next: string) {
  const { start, end, piece } = differenceOf(field.value, next)
  field.focus()
  if (start === end && piece === '') return
  field.setSelectionRange(start, end)
  const ran = piece === '' ? run('delete') : run('insertText', piece)
  if (ran && field.value === next) return
  const rest = differenceOf(field.value, next)
  field.setRangeText(rest.piece, rest.start, rest.end, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
