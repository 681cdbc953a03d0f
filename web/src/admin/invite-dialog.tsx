import { useRef, useState } from 'preact/hooks'
import { ApiFailure, call, mayPass } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { refusalText } from '../platform/refusal.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { TextAreaField } from '../ui/field.js'
import { adminWords } from '../words/admin.js'
import { type Invitation, readInvitations } from './invitations.js'

interface Result {
  email: string
  text: string
  done: boolean
  /** The server was not reached or did not judge it: the same may succeed later. */
  mayPass: boolean
}

async function inviteOne({ line: _, ...user }: Invitation): Promise<Result> {
  const { invited, inviteFailed } = adminWords()
  try {
    await call('createUser', { body: { user } })
    return { email: user.email, text: invited, done: true, mayPass: false }
  } catch (error) {
    if (mayPass(error)) return { email: user.email, text: refusalText(error), done: false, mayPass: true }
    const code = error instanceof ApiFailure ? error.code : 'other'
    const text = inviteFailed[code as keyof typeof inviteFailed] ?? inviteFailed.other
    return { email: user.email, text, done: false, mayPass: false }
  }
}

/** Invites one or many, and says of each how it went. */
export function InviteDialog({ onClose }: { onClose(): void }) {
  const admin = adminWords()
  const { common } = words()
  const [text, setText] = useState('')
  const [results, setResults] = useState<readonly Result[] | null>(null)
  const [busy, setBusy] = useState(false)
  const file = useRef<HTMLInputElement>(null)
  const { people, wrong } = readInvitations(text)

  const left = results?.filter(({ mayPass }) => mayPass).map(({ email }) => email) ?? []
  /** All of them, or those that may succeed now. */
  async function invite() {
    setBusy(true)
    const done = results?.filter(({ mayPass }) => !mayPass) ?? []
    for (const person of results ? people.filter(({ email }) => left.includes(email)) : people) {
      done.push(await inviteOne(person))
      setResults([...done])
    }
    setBusy(false)
  }
  const footer = results ? (
    <>
      {left.length > 0 && !busy && <Button onClick={() => void invite()}>{common.retry}</Button>}
      <Button look="main" busy={busy} onClick={onClose}>
        {common.close}
      </Button>
    </>
  ) : (
    <>
      <Button onClick={() => file.current?.click()}>{admin.chooseFile}</Button>
      <Button
        look="main"
        busy={busy}
        disabled={people.length === 0 || wrong.length > 0}
        onClick={() => void invite()}
      >
        {admin.inviteCount(people.length)}
      </Button>
    </>
  )
  return (
    <Dialog title={admin.inviteTitle} closeLabel={common.close} onClose={onClose} footer={footer}>
      {results ? (
        <Results results={results} />
      ) : (
        <div class="stack">
          <TextAreaField
            label={admin.inviteLines}
            hint={admin.inviteText}
            placeholder={admin.invitePlaceholder}
            rows={6}
            value={text}
            error={wrong[0] === undefined ? undefined : admin.inviteWrong(wrong[0])}
            onText={setText}
          />
          <input
            ref={file}
            type="file"
            accept=".csv,text/csv,text/plain"
            hidden
            onChange={({ currentTarget }) => void currentTarget.files?.[0]?.text().then(setText)}
          />
        </div>
      )}
    </Dialog>
  )
}

function Results({ results }: { results: readonly Result[] }) {
  const admin = adminWords()
  return (
    <div class="stack">
      <p role="status">{admin.results(results.filter(({ done }) => done).length, results.length)}</p>
      <ul class="admin-log scroll">
        {results.map(({ email, text }) => (
          <li key={email}>
            {email}: {text}
          </li>
        ))}
      </ul>
    </div>
  )
}
