import { useRef, useState } from 'preact/hooks'
import { sayFailure } from '../frame/attempt.js'
import { PersonAvatar } from '../people/person-avatar.js'
import { ApiFailure, call, callWithForm } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { apply } from '../store.js'
import { Button } from '../ui/button.js'
import { toast } from '../ui/toast.js'
import './picture.css'

/** The own picture, which takes effect as soon as it is chosen. */
export function Picture({ id, has }: { id: number; has: boolean }) {
  const { settings } = words()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)

  async function change(send: () => Promise<unknown>) {
    setBusy(true)
    try {
      await send()
      const [profile, people] = await Promise.all([
        call('getProfile'),
        call('listPeople', { query: { ids: [id] } }),
      ])
      apply({ type: 'profile', user: profile.data })
      apply({ type: 'people', people: people.data })
    } catch (error) {
      const refused = error instanceof ApiFailure && error.status < 500 && error.status !== 429
      if (refused) toast(settings.pictureRefused, { look: 'bad' })
      else sayFailure(error)
    } finally {
      setBusy(false)
    }
  }

  function upload(file: File) {
    const form = new FormData()
    form.append('image', file, file.name)
    void change(() => callWithForm('setOwnAvatar', form))
  }

  return (
    <div class="picture-row">
      <PersonAvatar id={id} size="large" />
      <div class="picture-tools">
        <div class="settings-end">
          <Button icon="image" busy={busy} onClick={() => input.current?.click()}>
            {settings.choosePicture}
          </Button>
          {has && (
            <Button look="quiet" disabled={busy} onClick={() => void change(() => call('deleteOwnAvatar'))}>
              {settings.removePicture}
            </Button>
          )}
        </div>
        <p class="quiet">{settings.pictureHint}</p>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept="image/png,image/jpeg,image/gif,image/webp"
        aria-label={settings.choosePicture}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          currentTarget.value = ''
          if (file) upload(file)
        }}
      />
    </div>
  )
}
