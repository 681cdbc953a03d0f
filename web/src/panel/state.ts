import { revisionBy } from '../platform/revision.js'

const CHANGES = new Set(['message.pinned', 'message.unpinned', 'message.updated', 'message.deleted'])

/** What is pinned somewhere: most pinned messages are not among those that are here. */
export const pinRevision = revisionBy(
  // A message that was edited says whether it is pinned, one that was deleted does not.
  ({ type, message }) => CHANGES.has(type) && (type !== 'message.updated' || message?.pinned === true),
)
