import assert from 'node:assert/strict'
import { getUploadParams } from '@parley/contract'
import type { Client } from '@parley/sdk/contract'

/** Posts the form that somebody was given, with a file at its end. */
export async function postForm(
  { direct_url, ...fields }: Record<string, string>,
  file: Blob | Buffer | string,
  name: string,
) {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('file', file instanceof Blob ? file : new Blob([file as string]), name)
  return fetch(direct_url as string, { method: 'POST', body: form })
}

/** Uploads a file the way clients do and gives its key. */
export async function upload(person: Client, name: string, content: Buffer | string = name): Promise<string> {
  const params = await person.call(getUploadParams)
  const { status } = await postForm(params, content, name)
  assert.equal(status, 204)
  return params.key.replace('${filename}', () => name)
}
