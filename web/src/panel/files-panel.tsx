import type { ChatCard, Message } from '@parley/contract'
import { useEffect, useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { personAt } from '../people/names.js'
import { call } from '../platform/api.js'
import { formatMoment, formatSize } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { Button } from '../ui/button.js'
import { Empty } from '../ui/empty.js'
import { Icon, type IconName } from '../ui/icon.js'

interface Read {
  messages: readonly Message[]
  cursor: string | null
}

/** Goes back through the messages until some with files are found, or for so many pages at most. */
const PAGES_AT_ONCE = 4

async function readFiles(chatId: number, from: Read | null): Promise<Read> {
  let cursor = from?.cursor ?? undefined
  const messages = [...(from?.messages ?? [])]
  for (let page = 0; page < PAGES_AT_ONCE; page++) {
    const { data, meta } = await call('listMessages', {
      query: { chat_id: chatId, limit: 50, ...(cursor ? { cursor } : {}) },
    })
    const found = data.filter(({ files }) => files.length > 0)
    messages.push(...found)
    if (!meta.paginate.has_next) return { messages, cursor: null }
    cursor = meta.paginate.next_page
    if (found.length > 0) break
  }
  return { messages, cursor: cursor ?? null }
}

const ICONS: Record<string, IconName> = { image: 'image', video: 'play', audio: 'mic', voice: 'mic' }

export function FilesPanel({ card }: { card: ChatCard }) {
  const { panels, common } = words()
  const [read, setRead] = useState<Read | null>(null)
  const [busy, setBusy] = useState(false)
  const more = async (from: Read | null) => {
    setBusy(true)
    await attempt(async () => setRead(await readFiles(card.id, from)))
    setBusy(false)
  }
  useEffect(() => void more(null), [card.id, card.last_message_id])
  if (read === null)
    return (
      <p class="quiet" role="status">
        {common.loading}
      </p>
    )
  return (
    <>
      {read.messages.length === 0 && read.cursor === null && (
        <Empty icon="folder" title={panels.noFiles} text={panels.noFilesText} />
      )}
      <ul class="panel-list">
        {read.messages.flatMap((message) =>
          message.files.map((file) => (
            <li key={file.id} class="row">
              <Icon name={ICONS[file.file_type] ?? 'file'} />
              <a class="row-main" href={`/chats/${card.id}?message=${message.id}&panel=files`}>
                <span class="row-name">{file.name}</span>
                <span class="row-about">
                  {[
                    personAt(message.user_id).name,
                    formatMoment(message.created_at),
                    file.size === undefined ? '' : formatSize(file.size),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </a>
              <a
                class="tool"
                href={file.url}
                download={file.name}
                aria-label={panels.download(file.name)}
                data-tip={words().messages.download}
              >
                <Icon name="save" />
              </a>
            </li>
          )),
        )}
      </ul>
      {read.cursor !== null && (
        <Button busy={busy} onClick={() => void more(read)}>
          {panels.olderFiles}
        </Button>
      )}
    </>
  )
}
