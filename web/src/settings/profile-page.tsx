import { NotRead } from '../frame/waiting.js'
import { state } from '../store.js'
import { PasswordForm } from './password-form.js'
import { ProfileForm } from './profile-form.js'
import { useOwnSignIn } from './use-own-sign-in.js'

export function ProfilePage() {
  const session = state.session.value
  const { own, waiting } = useOwnSignIn()
  if (!session) return null
  return (
    <>
      <ProfileForm user={session.user} mayRename={session.may.includes('profile.rename')} />
      {own ? own.password && <PasswordForm /> : <NotRead {...waiting} />}
    </>
  )
}
