import { words } from '../platform/i18n.js'
import { state } from '../store.js'
import { Checkbox, RadioGroup } from '../ui/choice.js'
import { savePreferences } from './actions.js'
import { Section } from './section.js'
import type { Preferences } from './state.js'

/** Choices take effect at once, here and on every device. */
export function LookPage() {
  const { settings } = words()
  const { theme, contrast, locale, density, enter_sends } = state.preferences.value
  const choice = <T extends string>(names: Readonly<Record<T, string>>) =>
    (Object.keys(names) as T[]).map((value) => ({ value, label: names[value] }))
  const choose =
    <K extends keyof Preferences>(field: K) =>
    (value: Preferences[K]) =>
      void savePreferences({ [field]: value })
  return (
    <Section title={settings.pages.look}>
      <RadioGroup
        label={settings.theme}
        value={theme}
        options={choice(settings.themes)}
        onChoose={choose('theme')}
      />
      <Checkbox
        look="switch"
        label={settings.contrast}
        hint={settings.contrastHint}
        checked={contrast}
        onChange={choose('contrast')}
      />
      <RadioGroup
        label={settings.language}
        value={locale}
        options={choice(settings.languages)}
        onChoose={choose('locale')}
      />
      <RadioGroup
        label={settings.density}
        value={density}
        options={choice(settings.densities)}
        onChoose={choose('density')}
      />
      <RadioGroup
        label={settings.enter}
        value={enter_sends ? 'sends' : 'breaks'}
        options={[
          { value: 'sends', label: settings.enterSends },
          { value: 'breaks', label: settings.enterBreaks },
        ]}
        onChoose={(value) => void savePreferences({ enter_sends: value === 'sends' })}
      />
    </Section>
  )
}
