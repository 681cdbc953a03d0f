import { Avatar } from '../src/ui/avatar.js'
import { Button, ToolButton, ToolLink } from '../src/ui/button.js'
import { Count } from '../src/ui/count.js'
import { Empty } from '../src/ui/empty.js'
import { ICON_NAMES, Icon } from '../src/ui/icon.js'
import { Table } from '../src/ui/table.js'
import { Shelf } from './shelf.js'

const ROWS = [
  { id: 1, name: 'release-plan-4.2.pdf', size: 1400 },
  { id: 2, name: 'load.png', size: 320 },
]

/** Parts that only show. */
export function Showing() {
  return (
    <>
      <Shelf title="Icons">
        {ICON_NAMES.map((name) => (
          <Icon key={name} name={name} label={name} />
        ))}
        <Icon name="star" size="sm" />
        <Icon name="star" size="lg" />
      </Shelf>
      <Shelf title="Buttons">
        <Button look="main">Main</Button>
        <Button icon="plus">Plain</Button>
        <Button look="danger">Danger</Button>
        <Button look="quiet">Quiet</Button>
        <Button disabled>Disabled</Button>
        <Button look="main" busy>
          Busy
        </Button>
        <ToolButton icon="bell" label="Tool" />
        <ToolButton icon="bell" label="Pressed" aria-pressed />
        <ToolButton icon="bell" label="Disabled" disabled />
        <ToolLink href="#" icon="gear" label="Link" />
      </Shelf>
      <Shelf title="People and counts">
        <Avatar id={1} name="Anna Nyberg" size="large" />
        <Avatar id={2} name="Mira Kovač" presence="active" />
        <Avatar id={3} name="Денис Соколов" presence="away" />
        <Avatar id={4} name="Lena" size="small" presence="active" />
        <Avatar id={5} name="Deploy helper" bot />
        <Avatar id={6} name="Tiny One" size="tiny" />
        <Count value={8} label="8 unread" />
        <Count value={3} call label="3 for you" />
        <Count value={140} call label="140 for you" />
      </Shelf>
      <Shelf title="Table">
        <Table
          caption="Files"
          rows={ROWS}
          keyOf={({ id }) => id}
          empty="No files"
          columns={[
            { title: 'Name', draw: ({ name }) => name },
            { title: 'Size', draw: ({ size }) => `${size} KB`, end: true },
          ]}
        />
        <Table caption="Nothing" rows={[]} keyOf={() => 0} empty="No files" columns={[]} />
      </Shelf>
      <Shelf title="Nothing here">
        <Empty icon="search" title="Nothing found" text="Try other words.">
          <Button>Clear</Button>
        </Empty>
      </Shelf>
    </>
  )
}
