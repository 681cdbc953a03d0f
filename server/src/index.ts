export type { PortableVerdict } from '@parley/imports'
export { pace } from './imports/pace.js'
export type { ImportReport } from './imports/report.js'
export { needsOf, titleOf } from './imports/report.js'
export { reportPage } from './imports/report-page.js'
export { filesFolder } from './open-context.js'
export { archivedAudit, sealAuditLog, verifyAuditLog } from './operator/audit.js'
export { createOwnersBot } from './operator/bots.js'
export { examine } from './operator/doctor/examine.js'
export type { Finding } from './operator/doctor/finding.js'
export { explainRefusal, OperatorError } from './operator/errors.js'
export { resealFiles } from './operator/files.js'
export { giveWay } from './operator/give-way.js'
export {
  type ArchiveCall,
  checkArchive,
  importArchive,
  importStatus,
  undoArchive,
} from './operator/imports.js'
export {
  changePerson,
  clearSecondFactor,
  createAccount,
  type Invited,
  invitePeople,
  linkForPassword,
  listPeople,
  type PersonToInvite,
  setPassword,
} from './operator/people.js'
export { exportPortable, importPortable, verifyPortableFile } from './operator/portable.js'
export { makeDatabase, placeOf, reachDatabase } from './operator/reach.js'
export { findReplica } from './operator/replica.js'
export { setSettings, showSettings } from './operator/settings.js'
export { createToken, listTokens, revokeToken } from './operator/tokens.js'
export {
  hasWorkspace,
  type OpenWorkspace,
  openWorkspace,
  type WorkspaceFacts,
  withDatabase,
} from './operator/workspace.js'
export { type Config, readConfig } from './platform/config.js'
export { ConfigError } from './platform/config-readers.js'
export { hostName } from './platform/db/hosts.js'
export { type MigrateOptions, migrate } from './platform/db/migrate.js'
export { type RunningServer, startServer } from './serve.js'
export { StartError } from './start-faults.js'
