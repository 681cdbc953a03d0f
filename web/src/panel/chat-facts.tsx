import type { ChatCard } from '@parley/contract'
import { NotRead } from '../frame/waiting.js'
import { personAt } from '../people/names.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { useRead } from '../platform/use-read.js'
import { DescribeChat } from './describe-chat.js'
import { Tags } from './tags.js'

/** What a card does not say of a chat: the description, and the tags by name. */
async function readFacts({ id, group_tag_ids }: ChatCard) {
  const [chat, ...tags] = await Promise.all([
    call('getChat', { params: { id } }),
    ...group_tag_ids.map((id) => call('getGroupTag', { params: { id } })),
  ])
  return { description: chat.data.description ?? '', tags: tags.map(({ data }) => data) }
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
