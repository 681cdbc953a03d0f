import { NotRead } from '../frame/waiting.js'
import { call } from '../platform/api.js'
import { formatSize } from '../platform/format.js'
import { useRead } from '../platform/use-read.js'
import { Table } from '../ui/table.js'
import { adminWords } from '../words/admin.js'

/** How often and how much may be asked of the server. */
export function LimitsPage() {
  const { limits: say, pages } = adminWords()
  const { read, waiting } = useRead(() => call('getWorkspaceLimits'))
  if (!read) return <NotRead {...waiting} />
  const limits = read.data
  return (
    <>
      <p>{limits.rates_enabled ? say.text : say.off}</p>
      <Table
        caption={pages.limits}
        rows={limits.rates}
        keyOf={({ name }) => name}
        empty={say.off}
        columns={[
          { title: say.what, draw: ({ name }) => nameOf(name) },
          { title: say.limit, draw: ({ requests, window_s }) => say.rate(requests, window_s) },
          { title: say.by, draw: ({ by }) => say.keys[by] },
        ]}
      />
      <dl class="admin-facts">
        <div>
          <dt>{say.upload}</dt>
          <dd>{formatSize(limits.upload_bytes)}</dd>
        </div>
        <div>
          <dt>{say.quota}</dt>
          <dd>{formatSize(limits.upload_quota_bytes)}</dd>
        </div>
      </dl>
    </>
  )
}

/** A window that this client does not know yet goes by the name that the server gives it. */
function nameOf(name: string): string {
  const { names } = adminWords().limits
  return names[name as keyof typeof names] ?? name
}
