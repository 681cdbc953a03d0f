import { state } from '../store.js'
import { PasswordForm } from './password-form.js'
import { ProfileForm } from './profile-form.js'

export function ProfilePage() {
  const session = state.session.value
  if (!session) return null
  return (
    <>
      <ProfileForm user={session.user} mayRename={session.may.includes('profile.rename')} />
      {!session.user.sso && <PasswordForm />}
    </>
  )
}
