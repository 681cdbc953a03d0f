import type { WorkspaceToken } from '@parley/contract'
import { useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { readPeopleOf } from '../people/actions.js'
import { personAt } from '../people/names.js'
import { call } from '../platform/api.js'
import { formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { nextOf } from '../platform/pages.js'
import { usePages } from '../platform/use-pages.js'
import { listGroups } from '../tokens/scopes.js'
import { Button } from '../ui/button.js'
import { confirm } from '../ui/confirm.js'
import { toast } from '../ui/toast.js'
import { accessWords } from '../words/access.js'
import { adminWords } from '../words/admin.js'
import { ListView } from './list-view.js'

async function readTokens(_: string, cursor: string | null, signal: AbortSignal) {
  const query = { limit: 50, ...(cursor ? { cursor } : {}) }
  const { data, meta } = await call('listWorkspaceTokens', { query, signal })
  await readPeopleOf(data.map(({ user_id }) => user_id))
  return { items: data, next: nextOf(meta) }
}

/** Every session and token of the workspace. */
export function TokensPage() {
  const admin = adminWords()
  const access = accessWords()
  const { common } = words()
  const [changes, setChanges] = useState(0)
  const pages = usePages('', readTokens, ({ id }) => id, [changes])
  const nameOf = ({ name, token }: WorkspaceToken) => name ?? token

  async function revoke(token: WorkspaceToken) {
    const title = access.revokeTitle(nameOf(token))
    const question = { title, text: access.revokeText, action: access.revoke, cancel: common.cancel }
    if (!(await confirm({ ...question, danger: true }))) return
    if (!(await attempt(() => call('revokeWorkspaceToken', { params: { id: token.id } })))) return
    toast(access.revoked)
    setChanges(changes + 1)
  }
  return (
    <ListView
      caption={admin.pages.tokens}
      pages={pages}
      keyOf={({ id }) => id}
      empty={admin.noTokens}
      columns={[
        { title: admin.holder, draw: ({ user_id }) => personAt(user_id).name },
        { title: admin.kind, draw: ({ kind }) => admin.kinds[kind] },
        { title: admin.token, draw: (token) => <span class="admin-code admin-line">{nameOf(token)}</span> },
        { title: access.rights, draw: ({ scopes }) => <Rights scopes={scopes} /> },
        {
          title: admin.lastUsed,
          draw: ({ last_used_at }) => (last_used_at ? formatMoment(last_used_at) : admin.never),
        },
        {
          title: access.revoke,
          end: true,
          draw: (token) => (
            <Button
              look="quiet"
              aria-label={access.revokeOf(nameOf(token))}
              onClick={() => void revoke(token)}
            >
              {access.revoke}
            </Button>
          ),
        },
      ]}
    />
  )
}

/** How many; which ones are in the tip. A session has those of its person. */
function Rights({ scopes }: { scopes: readonly string[] }) {
  if (scopes.length === 0) return null
  return (
    <span class="admin-line" data-tip={listGroups(scopes)}>
      {accessWords().rightsCount(scopes.length)}
    </span>
  )
}
