import { Type } from 'typebox'
import { Id } from '../shapes.js'
import { event } from './event.js'

const aboutBot = Type.Object({
  bot_id: Id,
  user_ids: Type.Array(Id, { description: 'People who may edit the bot, or could until it was deleted.' }),
})

export const botCreated = event({
  type: 'bot.created',
  summary: 'A bot was created.',
  audience: 'person',
  payload: aboutBot,
})

export const botUpdated = event({
  type: 'bot.updated',
  summary: 'Settings or secrets of a bot changed.',
  audience: 'person',
  payload: aboutBot,
})

export const botDeleted = event({
  type: 'bot.deleted',
  summary: 'A bot was deleted.',
  audience: 'person',
  payload: aboutBot,
})

const aboutView = Type.Object({ view_id: Type.String(), user_id: Id })

export const viewOpened = event({
  type: 'view.opened',
  summary: 'A bot opened a form for the person.',
  audience: 'person',
  payload: aboutView,
})

export const viewClosed = event({
  type: 'view.closed',
  summary: 'A form of the person was submitted or closed.',
  audience: 'person',
  payload: aboutView,
})
