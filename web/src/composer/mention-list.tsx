import { PersonAvatar } from '../people/person-avatar.js'
import { words } from '../platform/i18n.js'
import { Icon } from '../ui/icon.js'
import { Listbox } from '../ui/listbox.js'
import type { Options } from '../ui/options.js'
import { type Candidate, insertedName } from './use-mentions.js'

export function MentionList(props: {
  found: readonly Candidate[]
  options: Options
  onChoose(index: number): void
}) {
  return (
    <div class="mention-list">
      <Listbox
        label={words().composer.mention}
        items={props.found}
        options={props.options}
        keyOf={(one) => (one.kind === 'person' ? `p${one.person.id}` : `t${one.tag.id}`)}
        draw={drawCandidate}
        onChoose={props.onChoose}
      />
    </div>
  )
}

function drawCandidate(one: Candidate) {
  return (
    <>
      {one.kind === 'person' ? (
        <PersonAvatar id={one.person.id} size="small" withPresence />
      ) : (
        <Icon name="tag" />
      )}
      <span class="option-name">{one.kind === 'person' ? one.person.name : one.tag.name}</span>
      <span class="option-more">@{insertedName(one)}</span>
    </>
  )
}
