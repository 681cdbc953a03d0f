import type { BotResponse } from '@parley/contract'
import { useState } from 'preact/hooks'
import { ListEnd } from '../frame/waiting.js'
import { call } from '../platform/api.js'
import { formatMoment } from '../platform/format.js'
import { nextOf } from '../platform/pages.js'
import { usePages } from '../platform/use-pages.js'
import { state } from '../store.js'
import { Avatar } from '../ui/avatar.js'
import { Empty } from '../ui/empty.js'
import { SearchField } from '../ui/search-field.js'
import { botWords } from '../words/bots.js'

async function readBots(query: string, cursor: string | null, signal: AbortSignal) {
  const { data, meta } = await call('listBots', {
    query: { limit: 50, ...(query ? { query } : {}), ...(cursor ? { cursor } : {}) },
    signal,
  })
  return { items: data, next: nextOf(meta) }
}

/** Bots that the person may change. */
export function BotList() {
  const bots = botWords()
  const [text, setText] = useState('')
  const pages = usePages(text, readBots, ({ id }) => id, [], { revision: state.botRevision.value })
  const { items } = pages
  if (items === null && text === '') return <ListEnd {...pages} />
  if (items?.length === 0 && text === '')
    return (
      <Empty icon="bot" title={bots.none} text={bots.noneText}>
        <a class="button button-main" href="/bots/new">
          {bots.newBot}
        </a>
      </Empty>
    )
  return (
    <>
      <div class="bots-tools">
        <SearchField label={bots.find} value={text} onText={setText} />
        <a class="button button-main" href="/bots/new">
          {bots.newBot}
        </a>
      </div>
      {items?.length === 0 && <p class="quiet">{bots.noneFound}</p>}
      <ul class="bots-list">
        {items?.map((bot) => (
          <BotLine key={bot.id} bot={bot} />
        ))}
      </ul>
      <ListEnd {...pages} />
    </>
  )
}

function BotLine({ bot }: { bot: BotResponse }) {
  const bots = botWords()
  const { name, nickname, outgoing_url, paused_at } = bot.webhook
  const used = bot.last_used_at ? bots.used(formatMoment(bot.last_used_at)) : bots.neverUsed
  return (
    <li>
      <a class="bots-line" href={`/bots/${bot.id}/settings`}>
        <Avatar id={bot.id} name={name} image_url={bot.avatar_url ?? null} bot />
        <span class="bots-about">
          <b>{name}</b>
          {paused_at && <span class="bots-badge bots-bad">{bots.paused}</span>}
          <span class="quiet">
            @{nickname} · {used} · {outgoing_url === '' ? bots.noWebhook : hostOf(outgoing_url)}
          </span>
        </span>
      </a>
    </li>
  )
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
