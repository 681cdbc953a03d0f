import { useRef } from 'preact/hooks'
import { words } from '../platform/i18n.js'
import { ToolButton } from '../ui/button.js'

export function AttachButton({ onFiles }: { onFiles(files: Iterable<File>): void }) {
  const input = useRef<HTMLInputElement>(null)
  const { composer } = words()
  return (
    <>
      <ToolButton icon="attach" label={composer.attach} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={composer.attach}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
    </>
  )
}
