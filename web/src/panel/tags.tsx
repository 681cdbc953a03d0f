import type { ChatCard, GroupTag } from '@parley/contract'
import { PickTags } from '../chats/pick-tags.js'
import { attempt } from '../frame/attempt.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { readChat } from '../sync.js'

interface TagsProps {
  card: ChatCard
  tags: readonly GroupTag[]
}

/** Tags whose people are in the chat, and stay in step with it. */
export function Tags({ card, tags }: TagsProps) {
  const { panels } = words()

  async function change(next: readonly GroupTag[]) {
    const added = next.filter(({ id }) => !card.group_tag_ids.includes(id)).map(({ id }) => id)
    const removed = tags.filter(({ id }) => !next.some((tag) => tag.id === id))
    await attempt(async () => {
      if (added.length > 0)
        await call('bindChatTags', { params: { id: card.id }, body: { group_tag_ids: added } })
      for (const { id } of removed) await call('unbindChatTag', { params: { id: card.id, tag_id: id } })
      await readChat(card.id)
    })
  }

  const mayBind = card.may.includes('bind_tags')
  if (!mayBind && !card.may.includes('unbind_tags'))
    return (
      <div class="panel-part">
        <h3>{panels.tags}</h3>
        <p class="quiet">{tags.map(({ name }) => name).join(', ') || panels.noTags}</p>
      </div>
    )
  return <PickTags label={panels.tags} chosen={tags} onChange={(next) => void change(next)} />
}
