import type { CallOptions } from './call.js'

interface Page<T> {
  data: T[]
  meta: { paginate: { next_page: string; has_next: boolean } }
}

type List = (input: never, options?: CallOptions) => Promise<Page<unknown>>
type ItemOf<L extends List> = Awaited<ReturnType<L>>['data'][number]

/** Every item of a list, page after page: `for await (const chat of pages(parley.chats.list))`. */
export async function* pages<L extends List>(
  list: L,
  ...[input, options]: Parameters<L>
): AsyncGenerator<ItemOf<L>, void, undefined> {
  const next = list as unknown as (
    input: { cursor?: string },
    options?: CallOptions,
  ) => Promise<Page<ItemOf<L>>>
  for (let asked: { cursor?: string } = input ?? {}; ; ) {
    const { data, meta } = await next(asked, options)
    yield* data
    // `next_page` is there on the last page too, to look for newer records later.
    if (!meta.paginate.has_next) return
    asked = { ...asked, cursor: meta.paginate.next_page }
  }
}
