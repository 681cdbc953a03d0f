import { useState } from 'preact/hooks'
import { Checkbox, RadioGroup } from '../src/ui/choice.js'
import { SelectField, TextAreaField, TextField } from '../src/ui/field.js'
import { Shelf } from './shelf.js'

/** Parts to fill in. */
export function Filling() {
  const [text, setText] = useState('')
  const [on, setOn] = useState(true)
  const [theme, setTheme] = useState('light')
  return (
    <>
      <Shelf title="Fields">
        <TextField
          label="Name"
          value={text}
          placeholder="Release train"
          hint="Everybody sees it."
          onText={setText}
        />
        <TextField label="Email" type="email" value="anna@" error="This is no address." onText={setText} />
        <TextField label="Disabled" value="fixed" disabled onText={setText} />
        <TextAreaField label="About" value={text} onText={setText} />
        <SelectField
          label="Language"
          value="en"
          options={[
            { value: 'en', label: 'English' },
            { value: 'ru', label: 'Русский' },
          ]}
          onChoose={setText}
        />
      </Shelf>
      <Shelf title="Choices">
        <Checkbox label="Checkbox" hint="With a hint" checked={on} onChange={setOn} />
        <Checkbox label="Switch" look="switch" checked={on} onChange={setOn} />
        <Checkbox label="Off" look="switch" checked={!on} onChange={(value) => setOn(!value)} />
        <Checkbox label="Disabled" checked={false} disabled onChange={setOn} />
        <RadioGroup
          label="Theme"
          value={theme}
          options={[
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark', hint: 'Easy on the eyes at night' },
          ]}
          onChoose={setTheme}
        />
      </Shelf>
    </>
  )
}
