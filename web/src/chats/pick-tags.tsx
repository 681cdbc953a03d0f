import type { GroupTag } from '@parley/contract'
import { useState } from 'preact/hooks'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { useLookUp } from '../platform/use-look-up.js'
import { matches } from '../switcher/find.js'
import { Icon } from '../ui/icon.js'
import { Pick } from '../ui/pick.js'

interface PickTagsProps {
  label: string
  chosen: readonly GroupTag[]
  onChange(chosen: readonly GroupTag[]): void
}

/** Tags by the beginnings of their names. */
export function PickTags(props: PickTagsProps) {
  const { browse, common } = words()
  const [text, setText] = useState('')
  const { found, fresh } = useLookUp(text, async (query, signal) => {
    const { data } = await call('lookUpGroupTags', { query: { query, limit: 20 }, signal })
    return data
  })
  return (
    <Pick
      {...props}
      placeholder={browse.addTags}
      items={(found ?? []).filter(({ name }) => fresh || matches(text, name))}
      empty={browse.noTag}
      removeLabel={browse.takeOut}
      draw={(tag) => (
        <>
          <Icon name="tag" size="sm" />
          <span class="option-name">{tag.name}</span>
          <span class="option-more">{common.people(tag.users_count)}</span>
        </>
      )}
      onSearch={setText}
    />
  )
}
