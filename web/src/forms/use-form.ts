import type { View } from '@parley/contract'
import { useState } from 'preact/hooks'
import { ApiFailure, call, type Fault } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { refusalText } from '../platform/refusal.js'
import { toast } from '../ui/toast.js'
import { dropView } from './actions.js'
import {
  type Answers,
  errorsOf,
  type FormAnswer,
  type FormErrors,
  type FormField,
  initialAnswers,
  submittedAnswers,
} from './state.js'

export interface FormState {
  answers: Answers
  errors: FormErrors | null
  busy: boolean
  /** Something was filled in that closing would lose. */
  changed: boolean
  /** It can no longer be sent. */
  over: boolean
  put(name: string, answer: FormAnswer): void
  /** Files of a field are on their way; the form waits for them. */
  setUploading(name: string, uploading: boolean): void
  submit(): Promise<void>
  close(): void
}

/** The bot's own texts as they are, ours by code. */
function faultText(fault: Fault, field: FormField | undefined): string {
  const { faults } = words().forms
  if (fault.code === 'displayed_error') return fault.message
  if (fault.code === 'min_length' && field?.type === 'input') return faults.min_length(field.min_length ?? 0)
  if (fault.code === 'max_length' && field?.type === 'input')
    return faults.max_length(field.max_length ?? 3000)
  const text = faults[fault.code as keyof typeof faults]
  return typeof text === 'string' ? text : faults.invalid
}

export function useForm(view: View): FormState {
  const [answers, setAnswers] = useState(() => initialAnswers(view))
  const [errors, setErrors] = useState<FormErrors | null>(null)
  const [busy, setBusy] = useState(false)
  const [changed, setChanged] = useState(false)
  const [over, setOver] = useState(false)
  const [uploading, setUploading] = useState<readonly string[]>([])
  const whole = (text: string) => setErrors({ fields: {}, whole: [text] })

  function refused(error: unknown) {
    const { forms } = words()
    if (!(error instanceof ApiFailure)) return whole(refusalText(error))
    if (error.status === 422) return setErrors(errorsOf(view, error.faults, faultText))
    if (error.status === 504) return whole(forms.noAnswer)
    if (error.status === 404) {
      toast(forms.gone)
      return dropView(view.id)
    }
    if (error.status !== 410) return whole(refusalText(error))
    setOver(true)
    whole(forms.expired)
  }

  return {
    answers,
    errors,
    busy,
    changed,
    over,
    put(name, answer) {
      setChanged(true)
      setAnswers((all) => ({ ...all, [name]: answer }))
    },
    setUploading: (name, now) =>
      setUploading((names) => [...names.filter((one) => one !== name), ...(now ? [name] : [])]),
    async submit() {
      if (busy) return
      if (uploading.length > 0) return whole(words().forms.stillUploading)
      setBusy(true)
      setErrors(null)
      try {
        const body = { data: submittedAnswers(answers) }
        await call('submitView', { params: { id: view.id }, body })
        dropView(view.id)
      } catch (error) {
        refused(error)
      } finally {
        setBusy(false)
      }
    },
    close() {
      dropView(view.id)
      // One that is gone already needs no closing.
      void call('closeView', { params: { id: view.id } }).catch(() => {})
    },
  }
}
