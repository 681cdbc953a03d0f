import type { Words } from '../index.js'
import { account } from './account.js'
import { common } from './common.js'

export const ru: Words = { common, account }
