import type { ViewBlockUnion } from '@parley/contract'
import { Text } from '../messages/text.js'
import { words } from '../platform/i18n.js'
import { SelectField, TextAreaField, TextField } from '../ui/field.js'
import { ChoiceField } from './choice-field.js'
import { FileField } from './file-field.js'
import type { FormField } from './state.js'
import type { FormState } from './use-form.js'

/** One block of a form: something to read, or a field. */
export function BlockView({ block, form }: { block: ViewBlockUnion; form: FormState }) {
  switch (block.type) {
    case 'header':
      return <h3 class="form-heading">{block.text}</h3>
    case 'plain_text':
      return <p class="form-text">{block.text}</p>
    case 'markdown':
      return <Text content={block.text} />
    case 'divider':
      return <hr class="form-line" />
    default:
      return <FieldView field={block} form={form} />
  }
}

/** What every field has: its label says when it may be left empty. */
function commonOf(field: FormField, form: FormState) {
  const { required = false, label, hint, name } = field
  const error = form.errors?.fields[name]
  return { label: required ? label : words().forms.optional(label), hint, error, required }
}

function FieldView({ field, form }: { field: FormField; form: FormState }) {
  const { name } = field
  const common = commonOf(field, form)
  const value = form.answers[name] as string
  const onText = (text: string) => form.put(name, text)
  switch (field.type) {
    case 'input': {
      const more = field.placeholder === undefined ? {} : { placeholder: field.placeholder }
      const Part = field.multiline ? TextAreaField : TextField
      return <Part {...common} {...more} value={value} onText={onText} />
    }
    case 'date':
    case 'time':
      return <TextField {...common} type={field.type} value={value} onText={onText} />
    case 'select': {
      const options = (field.options ?? []).map(({ text, value }) => ({ label: text, value }))
      const none = { value: '', label: words().forms.choose }
      return <SelectField {...common} value={value} options={[none, ...options]} onChoose={onText} />
    }
    case 'radio':
    case 'checkbox':
      return <ChoiceField {...common} field={field} form={form} />
    case 'file_input':
      return <FileField {...common} field={field} form={form} />
  }
}
