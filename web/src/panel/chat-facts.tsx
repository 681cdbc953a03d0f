import type { ChatCard, GroupTag } from '@parley/contract'
import { NotRead } from '../frame/waiting.js'
import { personAt } from '../people/names.js'
import { ApiFailure, call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { useRead } from '../platform/use-read.js'
import { DescribeChat } from './describe-chat.js'
import { Tags } from './tags.js'

/** A tag that was deleted since the card was read is none: guests are not told of that. */
async function readTag(id: number): Promise<GroupTag[]> {
  try {
    return [(await call('getGroupTag', { params: { id } })).data]
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return []
    throw error
  }
}

/** What a card does not say of a chat: the description, and the tags by name. */
async function readFacts({ id, group_tag_ids }: ChatCard) {
  const [chat, ...tags] = await Promise.all([
    call('getChat', { params: { id } }),
    ...group_tag_ids.map(readTag),
  ])
  return { description: chat.data.description ?? '', tags: tags.flat() }
}

/** What the chat is for, whose it is, and whose people are in it. */
export function ChatFacts({ card }: { card: ChatCard }) {
  const { read, waiting } = useRead(() => readFacts(card), [card.id, card.group_tag_ids.join()])
  const owner = <p class="quiet">{words().panels.ownedBy(personAt(card.owner_id).name)}</p>
  if (!read)
    return (
      <>
        {owner}
        <NotRead {...waiting} />
      </>
    )
  return (
    <>
      <DescribeChat card={card} description={read.description} />
      {owner}
      <Tags card={card} tags={read.tags} />
    </>
  )
}
