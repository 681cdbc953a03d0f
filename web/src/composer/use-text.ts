import { useRef, useState } from 'preact/hooks'
import { applyMark, breakInList, type Mark, type Selected } from './marks.js'
import { typeIn } from './type-in.js'

/** The text of an input field with its caret. `onText` is called with each text that the person makes. */
export function useText(initial: () => string, onText: (text: string) => void) {
  const [text, setText] = useState(initial)
  const [caret, setCaret] = useState(0)
  const field = useRef<HTMLTextAreaElement>(null)

  function write(next: string, start = next.length, end = start) {
    if (!field.current) return
    typeIn(field.current, next)
    field.current.setSelectionRange(start, end)
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
