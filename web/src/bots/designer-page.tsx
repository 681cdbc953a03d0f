import { useLocation } from 'preact-iso'
import { navigate } from '../platform/navigate.js'
import { Tabs } from '../ui/tabs.js'
import { botWords } from '../words/bots.js'
import type { BotPageProps } from './bot-page.js'
import { FormDesigner } from './form-designer.js'
import { MessageDesigner } from './message-designer.js'
import './designer.css'

/** Messages with buttons and forms: made, seen as people see them, tried, and copied into a program. */
export function DesignerPage({ bot }: BotPageProps) {
  const bots = botWords()
  const kind = useLocation().query.kind === 'form' ? 'form' : 'message'
  return (
    <div class="design">
      <Tabs
        label={bots.design}
        value={kind}
        tabs={[
          { value: 'message', label: bots.designs.message },
          { value: 'form', label: bots.designs.form },
        ]}
        onChoose={(chosen) => {
          if (chosen !== kind) navigate(`/bots/${bot.id}/designer?kind=${chosen}`, 'replace')
        }}
      >
        {kind === 'form' ? <FormDesigner bot={bot} /> : <MessageDesigner bot={bot} />}
      </Tabs>
    </div>
  )
}
