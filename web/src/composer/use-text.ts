import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { applyMark, breakInList, differenceOf, type Mark, type Selected } from './marks.js'

/**
 * Replaces the part that differs as if it were typed, so that it can be undone; false where the browser does not.
 * The field tells of it by an input event.
 */
function replaceAsTyped(field: HTMLTextAreaElement, next: string): boolean {
  const { start, end, piece } = differenceOf(field.value, next)
  field.focus()
  field.setSelectionRange(start, end)
  if (piece !== '') return document.execCommand('insertText', false, piece)
  return start === end || document.execCommand('delete')
}

/** The text of an input field with its caret. `onText` is called with each text that the person makes. */
export function useText(initial: () => string, onText: (text: string) => void) {
  const [text, setText] = useState(initial)
  const [caret, setCaret] = useState(0)
  const field = useRef<HTMLTextAreaElement>(null)
  /** What to select once the field holds the text that was put there. */
  const [selection, setSelection] = useState<{ start: number; end: number } | null>(null)

  useLayoutEffect(() => {
    if (!selection) return
    field.current?.focus()
    field.current?.setSelectionRange(selection.start, selection.end)
  }, [selection])

  function write(next: string, start = next.length, end = start) {
    // What the field does not tell of is set as it should be.
    if (field.current && replaceAsTyped(field.current, next)) field.current.setSelectionRange(start, end)
    else {
      setText(next)
      onText(next)
      setSelection({ start, end })
    }
    setCaret(end)
  }

  const put = ({ text, start, end }: Selected) => write(text, start, end)

  function selected(): Selected {
    const { selectionStart: start = 0, selectionEnd: end = 0 } = field.current ?? {}
    return { text, start, end }
  }

  return {
    text,
    setText,
    caret,
    setCaret,
    field,
    typed({ value, selectionEnd }: HTMLTextAreaElement) {
      setText(value)
      setCaret(selectionEnd)
      onText(value)
    },
    /** Puts a piece in the place of the selection. */
    insert(piece: string) {
      const { selectionStart: start = text.length, selectionEnd: end = start } = field.current ?? {}
      write(text.slice(0, start) + piece + text.slice(end), start + piece.length)
    },
    /** Puts a piece in the place of what was typed from `start` to the caret. */
    complete(start: number, piece: string) {
      write(text.slice(0, start) + piece + text.slice(caret), start + piece.length)
    },
    mark(mark: Mark) {
      put(applyMark(mark, selected()))
    },
    /** Breaks the line inside of a list; false elsewhere. */
    breakInList(): boolean {
      const next = breakInList(selected())
      if (next) put(next)
      return next !== null
    },
  }
}

export type Text = ReturnType<typeof useText>
