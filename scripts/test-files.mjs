// Runs test files one after the other in this process, as the parent names them; each is a suite with the file's name.
import { describe } from 'node:test'
import { pathToFileURL } from 'node:url'
import { closeShared } from '../server/dist/testing/stage.js'

const LEFT_OPEN_MS = 5000

process.on('message', ({ name, path }) => {
  describe(name, () => import(pathToFileURL(path).href))
})
process.on('disconnect', async () => {
  await closeShared()
  setTimeout(() => console.error('left open:', process.getActiveResourcesInfo()), LEFT_OPEN_MS).unref()
})
process.send({ type: 'ready' })
