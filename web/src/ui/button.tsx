import type { ButtonHTMLAttributes, ComponentChildren, Ref } from 'preact'
import { Icon, type IconName } from './icon.js'
import './button.css'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'main' | 'plain' | 'danger' | 'quiet'
  icon?: IconName
  busy?: boolean
  class?: string
  children: ComponentChildren
}

export function Button({
  look = 'plain',
  icon,
  busy = false,
  class: more = '',
  children,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      class={`button button-${look} ${more}`}
      aria-busy={busy}
      disabled={rest.disabled || busy}
    >
      {busy ? <span class="spinner" aria-hidden="true" /> : icon && <Icon name={icon} size="sm" />}
      {children}
    </button>
  )
}

interface ToolButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'label'> {
  icon: IconName
  /** Said by screen readers and shown as a tip. */
  label: string
  size?: 'sm' | 'md'
  buttonRef?: Ref<HTMLButtonElement>
  class?: string
}

export function ToolButton({
  icon,
  label,
  size = 'md',
  buttonRef,
  class: more = '',
  ...rest
}: ToolButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      ref={buttonRef}
      class={`tool ${more}`}
      aria-label={label}
      data-tip={label}
    >
      <Icon name={icon} size={size} />
    </button>
  )
}

export function ToolLink({
  href,
  icon,
  label,
  class: more = '',
}: {
  href: string
  icon: IconName
  label: string
  class?: string
}) {
  return (
    <a class={`tool ${more}`} href={href} aria-label={label} data-tip={label}>
      <Icon name={icon} />
    </a>
  )
}
