// Runs test files one after the other in this process, as the parent names them; each is a suite with the file's name.
import { describe } from 'node:test'
import { pathToFileURL } from 'node:url'
import { closeShared } from '../server/dist/testing/stage.js'

process.on('message', ({ name, path }) => {
  describe(name, () => import(pathToFileURL(path).href))
})
process.on('disconnect', () => void closeShared())
process.send({ type: 'ready' })
