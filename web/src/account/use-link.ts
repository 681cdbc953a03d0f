import { useEffect, useState } from 'preact/hooks'
import { ApiFailure } from '../platform/api.js'
import { refusalOf } from './refusals.js'

/** The state of a link from an e-mail: being read, valid, gone, or not readable now. */
type Link<T> =
  | { state: 'loading' | 'gone' }
  | { state: 'there'; value: T }
  | { state: 'failed'; text: string }

export function useLink<T>(token: string, read: (token: string) => Promise<T>): Link<T> {
  const [link, setLink] = useState<Link<T>>({ state: 'loading' })
  useEffect(() => {
    read(token).then(
      (value) => setLink({ state: 'there', value }),
      (error) =>
        setLink(
          error instanceof ApiFailure && error.status === 404
            ? { state: 'gone' }
            : { state: 'failed', text: refusalOf(error) },
        ),
    )
  }, [token])
  return link
}
