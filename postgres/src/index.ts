export { backupDatabase } from './backup.js'
export { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.js'
export { restoreDatabase } from './restore.js'
export { verifyBackup } from './verify-backup.js'
