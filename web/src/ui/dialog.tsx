import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { ToolButton } from './button.js'
import { useModal } from './modal.js'
import './dialog.css'

interface DialogProps {
  title: string
  closeLabel: string
  onClose(): void
  size?: 'small' | 'medium' | 'large'
  footer?: ComponentChildren
  /** Nothing inside takes the focus: the text does, so that keys scroll it. */
  textOnly?: boolean
  children: ComponentChildren
}

/** A modal dialog: the browser keeps the focus inside and gives it back; Escape and a click outside close it. */
export function Dialog(props: DialogProps) {
  const { title, closeLabel, onClose, size = 'medium', footer, textOnly = false, children } = props
  const box = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useModal(box, onClose)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it from the keyboard.
    <dialog
      ref={box}
      class={`dialog dialog-${size}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === box.current) onClose()
      }}
    >
      <div class="dialog-box">
        <header class="dialog-head">
          <h2 id={titleId}>{title}</h2>
          <ToolButton icon="close" label={closeLabel} onClick={onClose} />
        </header>
        <div class="dialog-body scroll" {...(textOnly && { tabIndex: 0 })}>
          {children}
        </div>
        {footer && <footer class="dialog-foot">{footer}</footer>}
      </div>
    </dialog>
  )
}
