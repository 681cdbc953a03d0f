import assert from 'node:assert/strict'
import * as api from '@parley/contract'
import type { Lab } from '../lab.js'
import { laws } from '../law.js'

const view = {
  title: 'Desk',
  blocks: [{ type: 'input' as const, name: 'desk', label: 'Desk', required: true }],
}

type Queued = { event_type: string; payload: object }

/** What the helper was told last of this kind. */
async function told(lab: Lab, event_type: string): Promise<Record<string, unknown>> {
  const helper = await lab.helper()
  const list = async () => (await helper.call(api.listWebhookEvents)).data as Queued[]
  const isKind = (event: Queued) => event.event_type === event_type
  const events = await lab.eventually(list, (data) => data.some(isKind))
  return (events.find(isKind)?.payload ?? {}) as Record<string, unknown>
}

/** A pressed button. */
async function press(lab: Lab) {
  const message = await lab.say({ buttons: [[{ text: 'Book', data: 'book' }]] }, await lab.helper())
  const { data } = await lab.owner.call(api.pressButton, {
    params: { id: message.id },
    body: { row: 0, column: 0 },
  })
  return { message, trigger_id: data.trigger_id }
}

async function openForm(lab: Lab) {
  const { trigger_id } = await press(lab)
  const helper = await lab.helper()
  await helper.call(api.openView, { body: { type: 'modal', trigger_id, callback_id: 'desks', view } })
  const { data } = await lab.owner.call(api.listViews)
  return { trigger_id, view_id: data[0]?.id ?? '' }
}

export const formLaws = laws('Views', [
  {
    id: 'FORM-001',
    rule: 'A trigger that is unknown is refused with 410 trigger_not_found.',
    operations: [api.openView],
    needs: ['bots'],
    async run(lab) {
      const body = { type: 'modal', trigger_id: '0f9f8a52-3a0c-4f5b-9a55-0d7f0b8c1e11', view }
      const refusal = { status: 410, code: 'trigger_not_found' }
      await (await lab.helper()).refused(api.openView, { body }, refusal)
    },
  },
  {
    id: 'FORM-002',
    rule: 'A form has a title of at most 24 characters and blocks: 422, which names view.title or view.blocks.',
    operations: [api.openView],
    needs: ['bots'],
    async run(lab) {
      const trigger_id = '0f9f8a52-3a0c-4f5b-9a55-0d7f0b8c1e11'
      const form = (more: object) => ({ body: { type: 'modal', trigger_id, view: { ...view, ...more } } })
      const helper = await lab.helper()
      const long = { status: 422, code: 'too_long', key: 'view.title' }
      await helper.refused(api.openView, form({ title: 'x'.repeat(25) }), long)
      await helper.refused(api.openView, form({ title: undefined }), {
        status: 422,
        code: 'blank',
        key: 'view.title',
      })
      await helper.refused(api.openView, form({ blocks: [] }), { status: 422, key: 'view.blocks' })
    },
  },
  {
    id: 'FORM-003',
    level: 'additions',
    rule: 'The bot hears of a pressed button: its data, who pressed it, and a trigger.',
    operations: [api.pressButton, api.listWebhookEvents],
    needs: ['bots'],
    async run(lab) {
      const { message, trigger_id } = await press(lab)
      const payload = await told(lab, 'button_click')
      const { type, event, data, user_id, message_id } = payload
      assert.deepEqual(
        { type, event, data, user_id, message_id, trigger_id: payload.trigger_id },
        {
          type: 'button',
          event: 'click',
          data: 'book',
          user_id: lab.owner.id,
          message_id: message.id,
          trigger_id,
        },
      )
    },
  },
  {
    id: 'FORM-004',
    level: 'additions',
    rule: 'A trigger opens one form, for the one who pressed.',
    operations: [api.openView, api.listViews, api.closeView],
    needs: ['bots'],
    async run(lab) {
      const { trigger_id, view_id } = await openForm(lab)
      const again = { body: { type: 'modal', trigger_id, view } }
      const used = { status: 410, code: 'trigger_not_found' }
      await (await lab.helper()).refused(api.openView, again, used)
      await lab.owner.call(api.closeView, { params: { id: view_id } })
      const { data } = await lab.owner.call(api.listViews)
      assert.ok(!data.some(({ id }) => id === view_id), 'the closed form is still open')
    },
  },
  {
    id: 'FORM-005',
    level: 'additions',
    rule: 'A trigger is good for 3 seconds: 410 trigger_expired.',
    operations: [api.pressButton, api.openView],
    needs: ['bots', 'sandbox'],
    async run(lab) {
      const { trigger_id } = await press(lab)
      await lab.pass(4)
      const body = { type: 'modal', trigger_id, view }
      await (await lab.helper()).refused(api.openView, { body }, { status: 410, code: 'trigger_expired' })
    },
  },
  {
    id: 'FORM-006',
    level: 'additions',
    rule: 'The answers of a form reach the bot, whose answer closes it or shows what is wrong.',
    operations: [api.submitView, api.answerViewSubmit, api.listWebhookEvents],
    needs: ['bots'],
    async run(lab) {
      const { view_id } = await openForm(lab)
      const submitting = lab.owner.send(api.submitView, {
        params: { id: view_id },
        body: { data: { desk: '7' } },
      })
      const payload = await told(lab, 'view_submit')
      assert.deepEqual(
        [payload.callback_id, payload.user_id, payload.data],
        ['desks', lab.owner.id, { desk: '7' }],
      )
      const body = { submit_id: String(payload.submit_id), errors: { desk: 'taken' } }
      const helper = await lab.helper()
      await helper.call(api.answerViewSubmit, { params: { view_id }, body })
      const answer = await submitting
      assert.equal(answer.status, 422)
      assert.match(answer.text, /taken/)
      await helper.refused(
        api.answerViewSubmit,
        { params: { view_id }, body },
        { status: 410, code: 'submit_expired' },
      )
      await lab.owner.call(api.closeView, { params: { id: view_id } })
    },
  },
  {
    id: 'FORM-007',
    level: 'additions',
    rule: 'What the blocks of a form ask for is checked before the bot is asked: 422.',
    operations: [api.submitView],
    needs: ['bots'],
    async run(lab) {
      const { view_id } = await openForm(lab)
      const empty = { params: { id: view_id }, body: { data: {} } }
      await lab.owner.refused(api.submitView, empty, { status: 422 })
      await lab.owner.call(api.closeView, { params: { id: view_id } })
    },
  },
])
