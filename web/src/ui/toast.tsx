import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Icon } from './icon.js'
import './toast.css'

export interface Toast {
  text: string
  look?: 'plain' | 'bad'
  action?: { label: string; run(): void }
}

const SHOWN_MS = 6000

const shown = signal<(Toast & { id: number })[]>([])
let last = 0

/** Says something that needs no answer; the same words once. */
export function toast(text: string, more: Omit<Toast, 'text'> = {}) {
  last += 1
  const others = shown.value.filter((one) => one.text !== text)
  shown.value = [...others.slice(-2), { id: last, text, ...more }]
}

function drop(id: number) {
  shown.value = shown.value.filter((one) => one.id !== id)
}

function ToastLine({ id, text, look = 'plain', action }: Toast & { id: number }) {
  useEffect(() => {
    const timer = setTimeout(() => drop(id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id])
  return (
    <div class={`toast toast-${look}`}>
      {look === 'bad' && <Icon name="warn" size="sm" />}
      <span>{text}</span>
      {action && (
        <button
          type="button"
          class="toast-action"
          onClick={() => {
            drop(id)
            action.run()
          }}
        >
          {action.label}
        </button>
      )}
    </div>
  )
}

/** Shows the toasts; once in the page. */
export function ToastHost() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.value.map((one) => (
        <ToastLine key={one.id} {...one} />
      ))}
    </div>
  )
}
