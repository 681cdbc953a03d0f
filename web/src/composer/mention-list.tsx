import { personAt } from '../people/names.js'
import { PersonAvatar } from '../people/person-avatar.js'
import { words } from '../platform/i18n.js'
import { Icon } from '../ui/icon.js'
import { Listbox } from '../ui/listbox.js'
import type { Options } from '../ui/options.js'
import { type Candidate, insertedText } from './use-mentions.js'

export function MentionList(props: {
  found: readonly Candidate[]
  options: Options
  onChoose(index: number): void
}) {
  const { composer } = words()
  const { mention, commands, emoji } = composer
  const labels = { person: mention, tag: mention, command: commands, emoji }
  return (
    <div class="mention-list">
      <Listbox
        label={labels[props.found[0]?.kind ?? 'person']}
        items={props.found}
        options={props.options}
        keyOf={keyOf}
        draw={drawCandidate}
        onChoose={props.onChoose}
      />
    </div>
  )
}

function keyOf(one: Candidate): string {
  if (one.kind === 'command') return `${one.command.bot_id}${one.command.command}`
  if (one.kind === 'emoji') return one.char
  return one.kind === 'person' ? `p${one.person.id}` : `t${one.tag.id}`
}

function drawCandidate(one: Candidate) {
  if (one.kind === 'emoji')
    return (
      <>
        <span class="option-emoji" aria-hidden="true">
          {one.char}
        </span>
        <span class="option-name">{one.name}</span>
      </>
    )
  if (one.kind === 'command')
    return (
      <>
        <PersonAvatar id={one.command.bot_id} size="small" />
        <span class="option-name">{one.command.command}</span>
        <span class="option-more">{personAt(one.command.bot_id).name}</span>
      </>
    )
  return (
    <>
      {one.kind === 'person' ? (
        <PersonAvatar id={one.person.id} size="small" withPresence />
      ) : (
        <Icon name="tag" />
      )}
      <span class="option-name">{one.kind === 'person' ? one.person.name : one.tag.name}</span>
      <span class="option-more">{insertedText(one)}</span>
    </>
  )
}
