import { revisionOf } from '../platform/revision.js'

/** Bots that the person may change. */
export const botRevision = revisionOf('bot')
