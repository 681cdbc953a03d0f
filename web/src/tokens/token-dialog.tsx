import type { TokenLimits } from '@parley/contract'
import { useId, useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { words } from '../platform/i18n.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { TextField } from '../ui/field.js'
import { Form } from '../ui/form.js'
import { accessWords } from '../words/access.js'
import { LimitFields } from './limit-fields.js'
import { ScopeFields } from './scope-fields.js'

export interface TokenInput {
  name: string
  scopes: string[]
  /** Only where they were changed. */
  limits?: TokenLimits
}

interface TokenDialogProps {
  title: string
  action: string
  name?: string
  /** One that has no name is edited without. */
  nameless?: boolean
  scopes?: readonly string[]
  limits?: TokenLimits
  /** Rights that may be given. */
  offered: readonly string[]
  /** Rejects with what the server refused. */
  onSave(input: TokenInput): Promise<void>
  onClose(): void
}

/** Name and rights of a token, new or known. */
export function TokenDialog({ title, action, offered, onSave, onClose, ...before }: TokenDialogProps) {
  const [name, setName] = useState(before.name ?? '')
  const [scopes, setScopes] = useState(before.scopes ?? [])
  const [limits, setLimits] = useState<TokenLimits | null>(null)
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const form = useId()
  const { common, settings } = words()
  const access = accessWords()

  async function save() {
    setTried(true)
    if ((name.trim() === '' && !before.nameless) || scopes.length === 0) return
    setBusy(true)
    await attempt(() => onSave({ name: name.trim(), scopes: [...scopes], ...(limits ? { limits } : {}) }))
    setBusy(false)
  }
  return (
    <Dialog
      title={title}
      closeLabel={common.close}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="main" busy={busy} type="submit" form={form}>
            {action}
          </Button>
        </>
      }
    >
      <Form id={form} class="stack" onSubmit={save}>
        {!before.nameless && (
          <TextField
            label={access.tokenName}
            hint={access.tokenNameHint}
            value={name}
            maxLength={255}
            autofocus
            error={tried && name.trim() === '' ? settings.blank : undefined}
            onText={setName}
          />
        )}
        <ScopeFields
          offered={offered}
          chosen={scopes}
          error={tried && scopes.length === 0 ? access.noRights : undefined}
          onChange={setScopes}
        />
        <LimitFields value={limits ?? before.limits ?? {}} onChange={setLimits} />
      </Form>
    </Dialog>
  )
}
