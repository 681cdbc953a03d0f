import type { SignInCoverage } from '@parley/contract'
import { attempt } from '../../frame/attempt.js'
import { call } from '../../platform/api.js'
import { words } from '../../platform/i18n.js'
import { Checkbox } from '../../ui/choice.js'
import { confirm } from '../../ui/confirm.js'
import { signInWords } from '../../words/sign-in.js'

interface PasswordSwitchProps {
  isOn: boolean
  coverage: SignInCoverage
  onChanged(): void
}

/** Whether passwords are accepted, and who would be left without a way in. */
export function PasswordSwitch({ isOn, coverage, onChanged }: PasswordSwitchProps) {
  const say = signInWords()
  const { people, without_identity, owner_linked } = coverage

  async function turn(on: boolean) {
    const question = { title: say.turnOffTitle, text: say.turnOffText(without_identity), action: say.turnOff }
    if (!on && !(await confirm({ ...question, cancel: words().common.cancel, danger: true })))
      return onChanged()
    const body = { password_sign_in: on ? ('on' as const) : ('off' as const) }
    await attempt(() => call('updateWorkspaceSettings', { body }))
    onChanged()
  }
  return (
    <div class="stack">
      <h2 class="admin-heading">{say.passwords}</h2>
      <Checkbox
        look="switch"
        label={say.passwordsOn}
        hint={say.passwordsHint}
        checked={isOn}
        disabled={isOn && !owner_linked}
        onChange={(on) => void turn(on)}
      />
      <p>{without_identity === 0 ? say.everybodyLinked : say.coverage(without_identity, people)}</p>
      {isOn && !owner_linked && <p class="quiet">{say.ownerFirst}</p>}
    </div>
  )
}
