import type { ScimRequest, ScimToken } from '@parley/contract'
import { useEffect, useState } from 'preact/hooks'
import { attempt } from '../../frame/attempt.js'
import { Reading } from '../../frame/waiting.js'
import { call } from '../../platform/api.js'
import { formatMoment } from '../../platform/format.js'
import { words } from '../../platform/i18n.js'
import { SecretDialog } from '../../tokens/secret-dialog.js'
import { Button } from '../../ui/button.js'
import { confirm } from '../../ui/confirm.js'
import { Secret } from '../../ui/secret.js'
import { Table } from '../../ui/table.js'
import { accessWords } from '../../words/access.js'
import { adminWords } from '../../words/admin.js'
import { signInWords } from '../../words/sign-in.js'
import { NameDialog } from '../name-dialog.js'

interface Read {
  tokens: readonly ScimToken[]
  requests: readonly ScimRequest[]
}

/** Tokens for SCIM, and what was asked with them. */
export function ScimSection() {
  const say = signInWords()
  const [read, setRead] = useState<Read | null>(null)
  const [naming, setNaming] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const refresh = () =>
    attempt(async () => {
      const [tokens, requests] = await Promise.all([call('listScimTokens'), call('listScimRequests')])
      setRead({ tokens: tokens.data, requests: requests.data })
    })
  useEffect(() => void refresh(), [])

  async function create(name: string) {
    const { data } = await call('createScimToken', { body: { name } })
    setSecret(data.token)
    await refresh()
  }
  return (
    <div class="stack">
      <h2 class="admin-heading">{say.scim}</h2>
      <p>{say.scimText}</p>
      <Secret
        label={say.scimBase}
        value={`${location.origin}/scim/v2`}
        copyLabel={say.copy}
        copiedText={say.copied}
      />
      <div class="admin-tools">
        <Button icon="plus" onClick={() => setNaming(true)}>
          {say.scimCreate}
        </Button>
      </div>
      {read ? (
        <>
          <Tokens tokens={read.tokens} onChanged={() => void refresh()} />
          <Requests requests={read.requests} />
        </>
      ) : (
        <Reading />
      )}
      {naming && (
        <NameDialog
          title={say.scimCreate}
          hint={say.scimNameHint}
          name=""
          maxLength={100}
          onSave={create}
          onClose={() => setNaming(false)}
        />
      )}
      {secret && <SecretDialog label={say.scimToken} value={secret} onClose={() => setSecret(null)} />}
    </div>
  )
}

function Tokens({ tokens, onChanged }: { tokens: readonly ScimToken[]; onChanged(): void }) {
  const say = signInWords()
  const access = accessWords()
  const admin = adminWords()

  async function revoke({ id, name }: ScimToken) {
    const question = { title: access.revokeTitle(name), text: access.revokeText, action: access.revoke }
    if (!(await confirm({ ...question, cancel: words().common.cancel, danger: true }))) return
    await attempt(() => call('deleteScimToken', { params: { id } }))
    onChanged()
  }
  return (
    <Table
      caption={say.scimToken}
      rows={tokens}
      keyOf={({ id }) => id}
      empty={say.scimNone}
      columns={[
        { title: admin.name, draw: ({ name }) => name },
        { title: say.scimToken, draw: ({ mask }) => <span class="admin-code">{mask}</span> },
        {
          title: admin.lastUsed,
          draw: ({ last_used_at }) => (last_used_at ? formatMoment(last_used_at) : admin.never),
        },
        {
          title: access.revoke,
          end: true,
          draw: (token) => (
            <Button look="quiet" aria-label={access.revokeOf(token.name)} onClick={() => void revoke(token)}>
              {access.revoke}
            </Button>
          ),
        },
      ]}
    />
  )
}

function Requests({ requests }: { requests: readonly ScimRequest[] }) {
  const say = signInWords()
  return (
    <>
      <h3 class="field-label">{say.requests}</h3>
      <Table
        caption={say.requests}
        rows={requests}
        keyOf={({ id }) => id}
        empty={say.noRequests}
        columns={[
          { title: say.when, draw: ({ at }) => formatMoment(at) },
          {
            title: say.request,
            draw: ({ method, path }) => (
              <span class="admin-code">
                {method} {path}
              </span>
            ),
          },
          { title: say.status, end: true, draw: ({ status }) => status },
          { title: say.detail, draw: ({ detail }) => detail && <span lang="en">{detail}</span> },
        ]}
      />
    </>
  )
}
