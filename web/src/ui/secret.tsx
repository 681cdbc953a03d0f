import { copyText } from '../platform/clipboard.js'
import { ToolButton } from './button.js'
import { Field } from './field.js'
import { toast } from './toast.js'
import './secret.css'

interface SecretProps {
  label: string
  value: string
  copyLabel: string
  copiedText: string
}

/** A long value to copy, such as a key. */
export function Secret({ label, value, copyLabel, copiedText }: SecretProps) {
  return (
    <Field label={label}>
      {(wiring) => (
        <div class="secret">
          <input
            {...wiring}
            class="input secret-value"
            readOnly
            value={value}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <ToolButton
            icon="copy"
            label={copyLabel}
            onClick={() => void copyText(value).then(() => toast(copiedText))}
          />
        </div>
      )}
    </Field>
  )
}
