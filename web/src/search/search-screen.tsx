import type { Message } from '@parley/contract'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Page } from '../frame/page.js'
import { MoreButton, Reading, ReadingFailed } from '../frame/waiting.js'
import { Excerpt, moveAmongLinks } from '../messages/excerpt.js'
import { plainText } from '../messages/text.js'
import { words } from '../platform/i18n.js'
import { navigate } from '../platform/navigate.js'
import { Empty } from '../ui/empty.js'
import { addressOf, type Filters, filtersOf } from './filters.js'
import { markHits } from './hits.js'
import { keepScrolled, keptResults } from './kept.js'
import { SearchForm } from './search-form.js'
import { type Search, useSearch } from './use-search.js'

export function SearchScreen() {
  const { query } = useLocation()
  const filters = filtersOf(query)
  const found = useSearch(filters)
  const list = useRef<HTMLDivElement>(null)
  const { search } = words()
  const ask = (next: Filters) =>
    addressOf(next) === addressOf(filters) ? found.again() : navigate(addressOf(next))
  // Whoever comes back from a result goes on where they were.
  useLayoutEffect(() => {
    const box = list.current?.closest('.scroll')
    if (!box) return
    box.scrollTop = keptResults()?.scrolled ?? 0
    return () => keepScrolled(box.scrollTop)
  }, [])
  return (
    <Page title={search.title}>
      <SearchForm
        filters={filters}
        onAsk={ask}
        onDown={() => list.current?.querySelector<HTMLElement>('a.excerpt')?.focus()}
      />
      <div ref={list}>
        <Results found={found} query={filters.q} inOneChat={filters.in !== null} />
      </div>
    </Page>
  )
}

/** Where a message has no text, its files were found: by what is said in them, or by their names. */
function textOf({ content, voice_content, files }: Message): string {
  return plainText(content) || voice_content?.transcript || files.map(({ name }) => name).join(', ')
}

interface ResultsProps {
  found: Search
  query: string
  inOneChat: boolean
}

function Results({ found, query, inOneChat }: ResultsProps) {
  const { search, common } = words()
  const { hits, total, exact, busy, error, more, again } = found
  if (error) return <ReadingFailed text={error} onRetry={again} />
  if (!hits && busy) return <Reading />
  if (!hits) return <Empty icon="search" title={search.begin} text={search.beginHint} />
  if (hits.length === 0) return <Empty icon="search" title={common.nothingFound} text={search.nothingHint} />
  return (
    <>
      <p class="search-total" role="status">
        {exact ? search.found(total) : search.foundMore(total)}
      </p>
      <ul class="search-hits" aria-label={search.results} onKeyDown={moveAmongLinks}>
        {hits.map((message) => (
          <li key={message.id}>
            <Excerpt
              message={message}
              inOneChat={inOneChat}
              text={markHits(textOf(message), query).map(({ text, hit }, index) =>
                hit ? <mark key={index}>{text}</mark> : text,
              )}
            />
          </li>
        ))}
      </ul>
      {more && <MoreButton busy={busy} onMore={more} />}
    </>
  )
}
