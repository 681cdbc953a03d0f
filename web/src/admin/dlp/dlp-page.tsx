import type { DlpRule } from '@parley/contract'
import { useState } from 'preact/hooks'
import { attempt } from '../../frame/attempt.js'
import { call } from '../../platform/api.js'
import { words } from '../../platform/i18n.js'
import { nextOf } from '../../platform/pages.js'
import { usePages } from '../../platform/use-pages.js'
import { Button } from '../../ui/button.js'
import { Checkbox } from '../../ui/choice.js'
import { confirm } from '../../ui/confirm.js'
import type { Column } from '../../ui/table.js'
import { adminWords } from '../../words/admin.js'
import { dlpWords } from '../../words/dlp.js'
import { ListView } from '../list-view.js'
import { RuleDialog } from './rule-dialog.js'
import { readDraft } from './rule-draft.js'

async function readRules(_: string, cursor: string | null, signal: AbortSignal) {
  const query = { limit: 50, ...(cursor ? { cursor } : {}) }
  const { data, meta } = await call('listDlpRules', { query, signal })
  return { items: data, next: nextOf(meta) }
}

/** Room for a rule in between. */
const STEP = 10

/** Rules against leaks, the first to run first. */
export function DlpPage() {
  const dlp = dlpWords()
  const { common } = words()
  const [changes, setChanges] = useState(0)
  const [open, setOpen] = useState<DlpRule | 'new' | null>(null)
  const pages = usePages('', readRules, ({ id }) => id, [changes])
  const refresh = () => setChanges((count) => count + 1)

  async function enable({ id }: DlpRule, enabled: boolean) {
    await attempt(() => call('updateDlpRule', { params: { id }, body: { enabled } }))
    refresh()
  }
  async function remove({ id, name }: DlpRule) {
    const question = { title: dlp.deleteTitle(name), text: dlp.deleteText, action: common.delete }
    if (!(await confirm({ ...question, cancel: common.cancel, danger: true }))) return
    await attempt(() => call('deleteDlpRule', { params: { id } }))
    refresh()
  }
  return (
    <>
      <p>{dlp.text}</p>
      <div class="admin-tools">
        <Button icon="plus" look="main" disabled={!pages.items} onClick={() => setOpen('new')}>
          {dlp.create}
        </Button>
      </div>
      <ListView
        caption={adminWords().pages.dlp}
        pages={pages}
        keyOf={({ id }) => id}
        empty={dlp.none}
        columns={columnsOf(
          setOpen,
          (rule, enabled) => void enable(rule, enabled),
          (rule) => void remove(rule),
        )}
      />
      {open && (
        <RuleDialog
          rule={open === 'new' ? null : open}
          priority={(pages.items?.[0]?.priority ?? 0) + STEP}
          onClose={() => setOpen(null)}
          onSaved={() => {
            setOpen(null)
            refresh()
          }}
        />
      )}
    </>
  )
}

function columnsOf(
  onEdit: (rule: DlpRule) => void,
  onEnable: (rule: DlpRule, enabled: boolean) => void,
  onRemove: (rule: DlpRule) => void,
): Column<DlpRule>[] {
  const dlp = dlpWords()
  const { common } = words()
  return [
    { title: dlp.name, draw: ({ name }) => name },
    { title: dlp.priority, end: true, draw: ({ priority }) => priority },
    { title: dlp.conditions, draw: (rule) => <Conditions rule={rule} /> },
    { title: dlp.action, draw: (rule) => dlp.actions[readDraft(rule).action] },
    {
      title: dlp.enabled,
      draw: (rule) => (
        <Checkbox
          look="switch"
          label={<span class="only-heard">{dlp.enabled}</span>}
          spoken={dlp.enabledOf(rule.name)}
          checked={rule.enabled}
          onChange={(enabled) => onEnable(rule, enabled)}
        />
      ),
    },
    {
      title: adminWords().actions,
      end: true,
      draw: (rule) => (
        <span class="admin-line">
          <Button look="quiet" aria-label={dlp.edit(rule.name)} onClick={() => onEdit(rule)}>
            {common.edit}
          </Button>
          <Button look="quiet" aria-label={dlp.remove(rule.name)} onClick={() => onRemove(rule)}>
            {common.delete}
          </Button>
        </span>
      ),
    },
  ]
}

/** What it looks for, in one line. */
function Conditions({ rule }: { rule: DlpRule }) {
  const dlp = dlpWords()
  const { conditions, join } = readDraft(rule)
  if (!conditions) return <>{dlp.nested}</>
  return <span class="admin-code">{conditions.map(({ text }) => text).join(dlp.between[join])}</span>
}
