import { account } from './account.js'
import { common } from './common.js'

export const en = { common, account }
