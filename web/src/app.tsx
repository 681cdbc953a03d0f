import { Frame } from './frame/frame.js'
import { words } from './platform/i18n.js'
import { Icon } from './ui/icon.js'

export function App() {
  return <Frame pane="list" list={<Icon name="chat" />} main={<p>{words().common.loading}</p>} tabs={null} />
}
