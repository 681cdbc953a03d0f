import type { PublishedBot } from '@parley/contract'
import { useState } from 'preact/hooks'
import { ListEnd } from '../frame/waiting.js'
import { Text } from '../messages/text.js'
import { call } from '../platform/api.js'
import { nextOf } from '../platform/pages.js'
import { usePages } from '../platform/use-pages.js'
import { Avatar } from '../ui/avatar.js'
import { Empty } from '../ui/empty.js'
import { SearchField } from '../ui/search-field.js'
import { botWords } from '../words/bots.js'

async function readPublished(query: string, cursor: string | null, signal: AbortSignal) {
  const { data, meta } = await call('listPublishedBots', {
    query: { limit: 50, ...(query ? { query } : {}), ...(cursor ? { cursor } : {}) },
    signal,
  })
  return { items: data, next: nextOf(meta) }
}

/** Bots that their makers show to everybody. */
export function Catalogue() {
  const bots = botWords()
  const [text, setText] = useState('')
  const pages = usePages(text, readPublished, ({ id }) => id)
  const { items } = pages
  if (items === null && text === '') return <ListEnd {...pages} />
  if (items?.length === 0 && text === '')
    return <Empty icon="bot" title={bots.noCatalogue} text={bots.noCatalogueText} />
  return (
    <>
      <div class="bots-tools">
        <SearchField label={bots.find} value={text} onText={setText} />
      </div>
      {items?.length === 0 && <p class="quiet">{bots.noneFound}</p>}
      {items?.map((bot) => (
        <Entry key={bot.id} bot={bot} />
      ))}
      <ListEnd {...pages} />
    </>
  )
}

function Entry({ bot }: { bot: PublishedBot }) {
  const bots = botWords()
  return (
    <article class="bots-entry">
      <header class="bots-line">
        <Avatar id={bot.id} name={bot.name} image_url={bot.avatar_url} bot />
        <span class="bots-about">
          <h2>{bot.name}</h2>
          <span class="quiet">{[`@${bot.nickname}`, ...bot.commands].join(' · ')}</span>
        </span>
        <a class="button button-plain" href={`/people/${bot.id}`} aria-label={`${bots.write}: ${bot.name}`}>
          {bots.write}
        </a>
      </header>
      <Text content={bot.description} />
      {bot.promo_images.length > 0 && (
        <ul class="bots-pictures">
          {bot.promo_images.map((url, index) => (
            <li key={url}>
              <img src={url} alt={bots.pictureOf(bot.name, index + 1)} loading="lazy" />
            </li>
          ))}
        </ul>
      )}
    </article>
  )
}
