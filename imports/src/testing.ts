/** Archives for tests of those who read them. */
export { slackExport } from './slack/testing-export.js'
export { writeZip } from './testing-archive.js'
