import { useState } from 'preact/hooks'
import { ToolButton } from '../src/ui/button.js'
import { Combobox } from '../src/ui/combobox.js'
import { Menu } from '../src/ui/menu.js'
import { Pick } from '../src/ui/pick.js'
import { Tabs } from '../src/ui/tabs.js'
import { toast } from '../src/ui/toast.js'
import { Toolbar } from '../src/ui/toolbar.js'
import { Shelf } from './shelf.js'

const NAMES = ['Anna Nyberg', 'Mira Kovač', 'Денис Соколов', 'Lena Ortiz']
const PEOPLE = NAMES.map((name, id) => ({ id, name }))
const TABS = [
  { value: 'people', label: 'People' },
  { value: 'files', label: 'Files' },
  { value: 'pins', label: 'Pins' },
] as const

/** Parts to choose with. */
export function Choosing() {
  const [tab, setTab] = useState('people')
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<readonly { id: number; name: string }[]>(PEOPLE.slice(0, 2))
  const select = () => toast('Chosen')
  return (
    <>
      <Shelf title="Menu">
        <Menu
          label="More"
          groups={[
            [
              { label: 'Pin', icon: 'pin', hint: 'P', onSelect: select },
              { label: 'Muted', checked: true, onSelect: select },
            ],
            [
              { label: 'Archive', icon: 'archive', refusal: 'Only the owner may.', onSelect: select },
              { label: 'Delete', icon: 'trash', danger: true, onSelect: select },
            ],
          ]}
          trigger={(props) => <ToolButton icon="more" label="More" {...props} />}
        />
      </Shelf>
      <Shelf title="Toolbar">
        <Toolbar label="Marks">
          <ToolButton icon="bold" label="Bold" aria-pressed />
          <ToolButton icon="italic" label="Italic" />
          <span class="toolbar-line" />
          <ToolButton icon="code" label="Code" />
        </Toolbar>
      </Shelf>
      <Shelf title="Combobox">
        <Combobox
          label="Person"
          placeholder="Add somebody"
          items={NAMES.filter((name) => name.toLowerCase().includes(text.toLowerCase()))}
          empty="No one found"
          keyOf={(name) => name}
          draw={(name) => <span class="option-name">{name}</span>}
          onSearch={setText}
          onChoose={(name) => toast(name)}
        />
      </Shelf>
      <Shelf title="Pick">
        <Pick
          label="People"
          placeholder="Add somebody"
          empty="No one found"
          chosen={chosen}
          items={PEOPLE.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))}
          removeLabel={(name) => `Remove ${name}`}
          draw={({ name }) => <span class="option-name">{name}</span>}
          onSearch={setText}
          onChange={setChosen}
        />
      </Shelf>
      <Shelf title="Tabs">
        <Tabs label="Panels" value={tab} tabs={TABS} onChoose={setTab}>
          <p>{tab}</p>
        </Tabs>
      </Shelf>
    </>
  )
}
