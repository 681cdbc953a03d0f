import type { GroupTag } from '@parley/contract'
import { useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { nextOf } from '../platform/pages.js'
import { usePages } from '../platform/use-pages.js'
import { state } from '../store.js'
import { Button } from '../ui/button.js'
import { confirm } from '../ui/confirm.js'
import { adminWords } from '../words/admin.js'
import { ListView } from './list-view.js'
import { NameDialog } from './name-dialog.js'
import { NamedActions } from './named-actions.js'

async function readTags(_: string, cursor: string | null, signal: AbortSignal) {
  const query = { limit: 50, ...(cursor ? { cursor } : {}) }
  const { data, meta } = await call('listGroupTags', { query, signal })
  return { items: data, next: nextOf(meta) }
}

/** Tags that group people. */
export function TagsPage() {
  const admin = adminWords()
  const { tags } = admin
  const { common } = words()
  const [changes, setChanges] = useState(0)
  const [open, setOpen] = useState<GroupTag | 'new' | null>(null)
  const pages = usePages('', readTags, ({ id }) => id, [changes], {
    revision: state.tagRevision.value,
  })
  const refresh = () => setChanges((count) => count + 1)

  async function remove({ id, name, users_count }: GroupTag) {
    const question = { title: tags.deleteTitle(name), text: tags.deleteText(users_count) }
    const answers = { action: common.delete, cancel: common.cancel }
    if (!(await confirm({ ...question, ...answers, danger: true }))) return
    await attempt(() => call('deleteGroupTag', { params: { id } }))
    refresh()
  }
  return (
    <>
      <div class="admin-tools">
        <Button icon="plus" look="main" onClick={() => setOpen('new')}>
          {tags.create}
        </Button>
      </div>
      <ListView
        caption={admin.pages.tags}
        pages={pages}
        keyOf={({ id }) => id}
        empty={tags.none}
        columns={[
          { title: admin.name, draw: ({ name }) => name },
          { title: admin.pages.people, end: true, draw: ({ users_count }) => users_count },
          {
            title: admin.actions,
            end: true,
            draw: (tag) => (
              <NamedActions name={tag.name} onRename={() => setOpen(tag)} onDelete={() => void remove(tag)} />
            ),
          },
        ]}
      />
      {open && (
        <TagDialog tag={open === 'new' ? null : open} onSaved={refresh} onClose={() => setOpen(null)} />
      )}
    </>
  )
}

interface TagDialogProps {
  /** Null for a new one. */
  tag: GroupTag | null
  onSaved(): void
  onClose(): void
}

function TagDialog({ tag, onSaved, onClose }: TagDialogProps) {
  const { tags, renameOf } = adminWords()
  async function save(name: string) {
    const body = { group_tag: { name } }
    await (tag ? call('updateGroupTag', { params: { id: tag.id }, body }) : call('createGroupTag', { body }))
    onSaved()
  }
  return (
    <NameDialog
      title={tag ? renameOf(tag.name) : tags.create}
      hint={tag ? tags.renameHint : tags.createHint}
      name={tag?.name ?? ''}
      maxLength={255}
      onSave={save}
      onClose={onClose}
    />
  )
}
