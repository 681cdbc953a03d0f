import type { WorkspaceUsage } from '@parley/contract'
import { NotRead } from '../frame/waiting.js'
import { call } from '../platform/api.js'
import { formatSize } from '../platform/format.js'
import { locale } from '../platform/i18n.js'
import { useRead } from '../platform/use-read.js'
import { adminWords } from '../words/admin.js'

/** How large the workspace is. */
export function UsagePage() {
  const admin = adminWords()
  const { read, waiting } = useRead(() => call('getWorkspaceUsage'))
  if (!read) return <NotRead {...waiting} />
  const usage = read.data
  const names = Object.keys(admin.usage) as (keyof WorkspaceUsage)[]
  return (
    <dl class="admin-facts">
      {names.map((name) => (
        <div key={name}>
          <dt>{admin.usage[name]}</dt>
          <dd>{shown(name, usage[name])}</dd>
        </div>
      ))}
    </dl>
  )
}

function shown(name: keyof WorkspaceUsage, value: string | number | null): string {
  if (value === null) return adminWords().unlimited
  if (typeof value === 'string') return value
  return name.endsWith('_bytes') ? formatSize(value) : value.toLocaleString(locale())
}
