import type { ChatCard, ChatFile, ChatFileKind } from '@parley/contract'
import { useState } from 'preact/hooks'
import { ListEnd } from '../frame/waiting.js'
import { showPictures } from '../media/lightbox.js'
import { fileName } from '../messages/file-name.js'
import { personAt } from '../people/names.js'
import { call } from '../platform/api.js'
import { formatLength, formatMoment, formatSize } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { nextOf } from '../platform/pages.js'
import { usePages } from '../platform/use-pages.js'
import { apply } from '../store.js'
import { Empty } from '../ui/empty.js'
import { Icon, type IconName } from '../ui/icon.js'
import './files-panel.css'

const KINDS: readonly (ChatFileKind | 'all')[] = ['all', 'image', 'video', 'audio', 'file']
const ICONS: Record<string, IconName> = { image: 'image', video: 'play', audio: 'mic', voice: 'mic' }

async function readFiles(id: number, kind: ChatFileKind | 'all', cursor: string | null, signal: AbortSignal) {
  const query = { ...(kind === 'all' ? {} : { kind }), ...(cursor ? { cursor } : {}) }
  const { data, people, meta } = await call('listChatFiles', { params: { id }, query, signal })
  apply({ type: 'people', people })
  return { items: data, next: nextOf(meta) }
}

/** Everything that was sent to the chat and its threads, by kind. */
export function FilesPanel({ card }: { card: ChatCard }) {
  const { panels } = words()
  const [kind, setKind] = useState<ChatFileKind | 'all'>('all')
  const pages = usePages(
    '',
    (_, cursor, signal) => readFiles(card.id, kind, cursor, signal),
    ({ id }) => id,
    [card.id, card.last_message_id, kind],
  )
  const { items } = pages
  return (
    <>
      <fieldset class="file-kinds" aria-label={panels.fileKind}>
        {KINDS.map((one) => (
          <button
            key={one}
            type="button"
            class="file-kind-choice"
            aria-pressed={one === kind}
            onClick={() => setKind(one)}
          >
            {panels.fileKinds[one]}
          </button>
        ))}
      </fieldset>
      {items?.length === 0 && <Empty icon="folder" title={panels.noFiles} text={panels.noFilesText} />}
      {kind === 'image' ? (
        <Pictures files={items ?? []} />
      ) : (
        <ul class="panel-list">
          {items?.map((file) => (
            <FileRow key={file.id} card={card} file={file} />
          ))}
        </ul>
      )}
      <ListEnd {...pages} />
    </>
  )
}

function FileRow({ card, file }: { card: ChatCard; file: ChatFile }) {
  const { panels, messages, media } = words()
  const place = file.thread_id
    ? `thread=${file.thread_id}&reply=${file.message_id}`
    : `message=${file.message_id}&panel=files`
  const name = fileName(file.name)
  const title = file.file_type === 'voice' ? `${media.voice} ${formatLength(file.duration_ms ?? 0)}` : name
  return (
    <li class="row">
      <Icon name={ICONS[file.file_type] ?? 'file'} />
      <a class="row-main" href={`/chats/${card.id}?${place}`}>
        <bdi class="row-name">{title}</bdi>
        <span class="row-about">
          {[
            formatMoment(file.created_at),
            file.size === undefined ? '' : formatSize(file.size),
            personAt(file.user_id).name,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </a>
      <a
        class="tool"
        href={file.url}
        download={name}
        aria-label={panels.download(name)}
        data-tip={messages.download}
      >
        <Icon name="save" />
      </a>
    </li>
  )
}

function Pictures({ files }: { files: readonly ChatFile[] }) {
  const { media } = words()
  return (
    <div class="file-grid">
      {files.map((file, index) => (
        <button
          key={file.id}
          type="button"
          class="file-tile"
          aria-label={media.enlarge(fileName(file.name))}
          onClick={() => showPictures(files, index)}
        >
          <img src={file.preview_url ?? file.url} alt="" loading="lazy" decoding="async" />
        </button>
      ))}
    </div>
  )
}
