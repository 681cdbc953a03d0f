import { useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import { AccountPage } from '../account/account-page.js'
import { ApiFailure, call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { refusalText } from '../platform/refusal.js'
import { Button } from '../ui/button.js'
import { notificationWords } from '../words/notifications.js'

/** Where the link of a mail digest leads, also for somebody who is not signed in. Opening it changes nothing yet. */
export function UnsubscribeRoute() {
  const { token = '' } = useRoute().params
  const say = notificationWords()
  const [result, setResult] = useState<'asked' | 'busy' | 'stopped'>('asked')
  const [refusal, setRefusal] = useState('')
  async function stop() {
    setResult('busy')
    try {
      await call('stopMailDigest', { params: { token } })
      setResult('stopped')
    } catch (error) {
      setRefusal(error instanceof ApiFailure && error.status === 404 ? say.stopGone : refusalText(error))
      setResult('asked')
    }
  }
  const home = (
    <a class="account-page-link" href="/">
      {words().common.toChats}
    </a>
  )
  if (result === 'stopped') return <AccountPage title={say.stopped}>{home}</AccountPage>
  return (
    <AccountPage title={say.stopTitle} text={say.stopText} refusal={refusal} onSubmit={() => void stop()}>
      <Button type="submit" look="main" busy={result === 'busy'}>
        {say.stop}
      </Button>
      {home}
    </AccountPage>
  )
}
