import { words } from '../platform/i18n.js'
import { savePreferences } from '../settings/actions.js'
import { state } from '../store.js'
import { ToolButton } from '../ui/button.js'
import { Menu } from '../ui/menu.js'
import { naming } from './section-host.js'
import { moveSection, removeSection, type Section, type Sections } from './sections.js'

/** What can be done with a section. */
export function SectionMenu({ section }: { section: Section }) {
  const { sections: say } = words()
  const { sections } = state.preferences.value
  const at = sections.findIndex(({ id }) => id === section.id)
  const save = (next: Sections) => void savePreferences({ sections: next })
  const label = say.menu(section.name)
  return (
    <Menu
      label={label}
      align="end"
      groups={[
        [
          {
            label: say.rename,
            onSelect: () => {
              naming.value = { section_id: section.id }
            },
          },
          {
            label: say.up,
            refusal: at > 0 ? undefined : say.first,
            onSelect: () => save(moveSection(sections, section.id, -1)),
          },
          {
            label: say.down,
            refusal: at < sections.length - 1 ? undefined : say.last,
            onSelect: () => save(moveSection(sections, section.id, 1)),
          },
        ],
        [
          {
            label: say.remove,
            danger: true,
            onSelect: () => save(removeSection(sections, section.id)),
          },
        ],
      ]}
      trigger={(props) => <ToolButton icon="more" label={label} {...props} />}
    />
  )
}
