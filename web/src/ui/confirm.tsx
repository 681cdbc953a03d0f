import { signal } from '@preact/signals'
import { Button } from './button.js'
import { Dialog } from './dialog.js'

interface Question {
  title: string
  text: string
  action: string
  cancel: string
  danger?: boolean
}

const asked = signal<{ question: Question; answer(yes: boolean): void } | null>(null)

/** Asks before something that cannot be taken back. */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    asked.value = {
      question,
      answer(yes) {
        asked.value = null
        resolve(yes)
      },
    }
  })
}

/** Shows the question; once in the page. */
export function ConfirmHost() {
  if (!asked.value) return null
  const { question, answer } = asked.value
  const footer = (
    <>
      <Button onClick={() => answer(false)}>{question.cancel}</Button>
      <Button look={question.danger ? 'danger' : 'main'} onClick={() => answer(true)}>
        {question.action}
      </Button>
    </>
  )
  return (
    <Dialog
      title={question.title}
      closeLabel={question.cancel}
      size="small"
      footer={footer}
      onClose={() => answer(false)}
    >
      <p>{question.text}</p>
    </Dialog>
  )
}
