import type { GroupTag } from '@parley/contract'
import { useState } from 'preact/hooks'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { useLookUp } from '../platform/use-look-up.js'
import { matches } from '../switcher/find.js'
import { Chips } from '../ui/chips.js'
import { Combobox } from '../ui/combobox.js'
import { Icon } from '../ui/icon.js'

interface PickTagsProps {
  label: string
  chosen: readonly GroupTag[]
  onChange(chosen: readonly GroupTag[]): void
}

/** Tags by the beginnings of their names. */
export function PickTags({ label, chosen, onChange }: PickTagsProps) {
  const { browse, common } = words()
  const [text, setText] = useState('')
  const { found, fresh } = useLookUp(text, async (query, signal) => {
    const { data } = await call('lookUpGroupTags', { query: { query, limit: 10 }, signal })
    return data
  })
  const taken = new Set(chosen.map(({ id }) => id))
  return (
    <div class="field">
      <span class="field-label">{label}</span>
      <Chips
        items={chosen.map(({ id, name }) => ({ id, name, label: browse.takeOut(name) }))}
        onRemove={(id) => onChange(chosen.filter((one) => one.id !== id))}
      />
      <Combobox
        label={label}
        placeholder={browse.addTags}
        items={(found ?? []).filter(({ id, name }) => !taken.has(id) && (fresh || matches(text, name)))}
        empty={browse.noTag}
        keyOf={({ id }) => id}
        draw={(tag) => (
          <>
            <Icon name="tag" size="sm" />
            <span class="option-name">{tag.name}</span>
            <span class="option-more">{common.people(tag.users_count)}</span>
          </>
        )}
        onSearch={setText}
        onChoose={(tag) => onChange([...chosen, tag])}
      />
    </div>
  )
}
