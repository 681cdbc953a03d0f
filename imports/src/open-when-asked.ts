import type * as readers from './open-source.js'

/** The readers bring parsers of five formats, which a server loads with the first archive that it is given. */
const load = () => import('./open-source.js')

export const openAnySource: typeof readers.openAnySource = async (...given) =>
  (await load()).openAnySource(...given)

export const openSource: typeof readers.openSource = async (...given) => (await load()).openSource(...given)
