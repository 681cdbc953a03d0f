import { words } from '../platform/i18n.js'
import { Empty } from '../ui/empty.js'
import './page.css'

/** Where the link of a video room leads while the server has no video server. */
export function NoMeeting() {
  const { common } = words()
  return (
    <main class="page page-alone">
      <Empty icon="chat" level={1} title={common.noMeeting} text={common.noMeetingHint}>
        <a class="button button-plain" href="/">
          {common.toChats}
        </a>
      </Empty>
    </main>
  )
}
