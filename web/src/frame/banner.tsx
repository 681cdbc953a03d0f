import { useEffect, useState } from 'preact/hooks'
import { words } from '../platform/i18n.js'
import { connection } from '../platform/live.js'
import { outdated } from '../sync.js'
import './banner.css'

const SHOWN_AFTER_MS = 2000

/** Says what is wrong with the whole client: no connection, or an old version. */
export function Banner() {
  const { common } = words()
  const lost = connection.value !== 'online'
  const [long, setLong] = useState(false)
  useEffect(() => {
    if (!lost) return setLong(false)
    const timer = setTimeout(() => setLong(true), SHOWN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [lost])
  if (lost && long)
    return (
      <div class="banner" role="status">
        {common.offline}
      </div>
    )
  if (!outdated.value) return null
  return (
    <div class="banner banner-new" role="status">
      {common.newVersion}
      <button type="button" onClick={() => location.reload()}>
        {common.reload}
      </button>
    </div>
  )
}
