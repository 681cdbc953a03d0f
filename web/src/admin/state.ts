import { revisionOf } from '../platform/revision.js'

/** Tags, and how many people have them. */
export const tagRevision = revisionOf('group_tag', 'company_members')
export const fieldRevision = revisionOf('custom_property')
