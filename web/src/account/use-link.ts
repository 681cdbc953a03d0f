import { useEffect, useState } from 'preact/hooks'
import { ApiFailure } from '../platform/api.js'
import { refusalOf } from './refusals.js'

/** What a link from a letter stands for: being read, there, gone, or not to be read now. */
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
