import type { CustomPropertyDefinition, CustomPropertyEntity } from '@parley/contract'
import { useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { usePages } from '../platform/use-pages.js'
import { state } from '../store.js'
import { Button } from '../ui/button.js'
import { confirm } from '../ui/confirm.js'
import { SelectField } from '../ui/field.js'
import { adminWords } from '../words/admin.js'
import { ListView } from './list-view.js'
import { NameDialog } from './name-dialog.js'
import { NamedActions } from './named-actions.js'

type DataType = CustomPropertyDefinition['data_type']

/** Fields that the workspace adds to people and to tasks. */
export function FieldsPage() {
  const admin = adminWords()
  const { fields } = admin
  const [entity_type, setEntity] = useState<CustomPropertyEntity>('User')
  const [changes, setChanges] = useState(0)
  const [open, setOpen] = useState<CustomPropertyDefinition | 'new' | null>(null)
  const refresh = () => setChanges((count) => count + 1)
  async function readFields(_: string, __: string | null, signal: AbortSignal) {
    const { data } = await call('listCustomProperties', { query: { entity_type }, signal })
    return { items: data, next: null }
  }
  const pages = usePages('', readFields, ({ id }) => id, [entity_type, changes], {
    revision: state.fieldRevision.value,
  })
  return (
    <>
      <div class="admin-tools">
        <SelectField
          label={fields.entity}
          value={entity_type}
          options={(['User', 'Task'] as const).map((value) => ({ value, label: fields.entities[value] }))}
          onChoose={(value) => setEntity(value as CustomPropertyEntity)}
        />
        <Button icon="plus" look="main" onClick={() => setOpen('new')}>
          {fields.create}
        </Button>
      </div>
      <ListView
        caption={fields.entities[entity_type]}
        pages={pages}
        keyOf={({ id }) => id}
        empty={fields.none}
        columns={[
          { title: admin.name, draw: ({ name }) => name },
          { title: fields.type, draw: ({ data_type }) => fields.types[data_type] },
          {
            title: admin.actions,
            end: true,
            draw: (field) => (
              <NamedActions
                name={field.name}
                onRename={() => setOpen(field)}
                onDelete={() => void remove(field).then(refresh)}
              />
            ),
          },
        ]}
      />
      {open === 'new' && (
        <NewField entity_type={entity_type} onSaved={refresh} onClose={() => setOpen(null)} />
      )}
      {open && open !== 'new' && <RenameField field={open} onSaved={refresh} onClose={() => setOpen(null)} />}
    </>
  )
}

async function remove({ id, name }: CustomPropertyDefinition) {
  const { fields } = adminWords()
  const { common } = words()
  const preview = await call('previewCustomPropertyDeletion', { params: { id } }).catch(() => null)
  const text = fields.deleteText(preview?.data.values ?? 0)
  const question = { title: fields.deleteTitle(name), text }
  const answers = { action: common.delete, cancel: common.cancel }
  if (await confirm({ ...question, ...answers, danger: true }))
    await attempt(() => call('deleteCustomProperty', { params: { id } }))
}

interface FieldDialogProps {
  onSaved(): void
  onClose(): void
}

const NAME_AT_MOST = 32

function NewField({
  entity_type,
  onSaved,
  onClose,
}: FieldDialogProps & { entity_type: CustomPropertyEntity }) {
  const { fields } = adminWords()
  const [data_type, setType] = useState<DataType>('string')
  async function save(name: string) {
    await call('createCustomProperty', { body: { entity_type, name, data_type } })
    onSaved()
  }
  return (
    <NameDialog title={fields.create} name="" maxLength={NAME_AT_MOST} onSave={save} onClose={onClose}>
      <SelectField
        label={fields.type}
        hint={fields.typeHint}
        value={data_type}
        options={(Object.keys(fields.types) as DataType[]).map((value) => ({
          value,
          label: fields.types[value],
        }))}
        onChoose={(value) => setType(value as DataType)}
      />
    </NameDialog>
  )
}

function RenameField({ field, onSaved, onClose }: FieldDialogProps & { field: CustomPropertyDefinition }) {
  async function save(name: string) {
    await call('updateCustomProperty', { params: { id: field.id }, body: { name } })
    onSaved()
  }
  return (
    <NameDialog
      title={adminWords().renameOf(field.name)}
      name={field.name}
      maxLength={NAME_AT_MOST}
      onSave={save}
      onClose={onClose}
    />
  )
}
