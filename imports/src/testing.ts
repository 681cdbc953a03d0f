/** Archives for tests of those who read them. */
export { mattermostExport } from './mattermost/testing-export.js'
export { beginPortable, hostileFile } from './portable/testing-portable.js'
export {
  type Collections,
  rocketChatCsv,
  rocketChatDump,
  rocketChatFolder,
  writeMongoArchive,
} from './rocketchat/testing-export.js'
export { slackExport } from './slack/testing-export.js'
export { readEntries, writeTar, writeZip } from './testing-archive.js'
export { zulipExport } from './zulip/testing-export.js'
