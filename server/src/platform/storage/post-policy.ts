import { createHmac, timingSafeEqual } from 'node:crypto'
import type { UploadFormOptions } from './storage.js'

export interface PolicySigner {
  access_key_id: string
  secret: string | Buffer
  region: string
  /** Named in the policy where the store looks for it. */
  bucket?: string
}

export type PolicyVerdict =
  | { ok: true; min_bytes: number; max_bytes: number; key_prefix: string }
  | { ok: false; reason: string }

type Condition = Record<string, string> | [string, string | number, string | number]

const ALGORITHM = 'AWS4-HMAC-SHA256'
/** The fields that prove a policy. */
const SIGNING = ['policy', 'x-amz-algorithm', 'x-amz-credential', 'x-amz-signature']

/** Signs the fields of a POST form (AWS Signature Version 4, POST policy). */
export function signPostForm(
  signer: PolicySigner,
  options: UploadFormOptions,
  now_ms: number,
): Record<string, string> {
  const date = amzDate(now_ms)
  const signed = {
    'Content-Disposition': 'attachment',
    acl: 'private',
    'x-amz-credential': `${signer.access_key_id}/${date.slice(0, 8)}/${signer.region}/s3/aws4_request`,
    'x-amz-algorithm': ALGORITHM,
    'x-amz-date': date,
  }
  const conditions: Condition[] = [
    ...Object.entries(signed).map(([name, value]) => ({ [name]: value })),
    ['starts-with', '$key', options.key_prefix],
    ['content-length-range', 0, options.max_bytes],
  ]
  if (signer.bucket !== undefined) conditions.push({ bucket: signer.bucket })
  const expiration = new Date(now_ms + options.expires_in_s * 1000).toISOString()
  const policy = Buffer.from(JSON.stringify({ expiration, conditions })).toString('base64')

  return {
    'Content-Disposition': signed['Content-Disposition'],
    acl: signed.acl,
    policy,
    'x-amz-credential': signed['x-amz-credential'],
    'x-amz-algorithm': signed['x-amz-algorithm'],
    'x-amz-date': signed['x-amz-date'],
    'x-amz-signature': signatureOf(signer, date.slice(0, 8), policy),
    // The store puts the name of the file in the place of ${filename}.
    key: `${options.key_prefix}\${filename}`,
  }
}

/** Whether these fields carry a policy of ours that is alive and that they keep to; names in lower case. */
export function judgePostForm(
  signer: PolicySigner,
  fields: ReadonlyMap<string, string>,
  now_ms: number,
): PolicyVerdict {
  const missing = SIGNING.find((name) => !fields.get(name))
  if (missing) return lacks(missing)
  const policy = fields.get('policy') ?? ''
  const [accessKeyId, day, region, ...rest] = (fields.get('x-amz-credential') ?? '').split('/')
  if (fields.get('x-amz-algorithm') !== ALGORITHM) return deny('x-amz-algorithm is not supported')
  if (
    accessKeyId !== signer.access_key_id ||
    region !== signer.region ||
    rest.join('/') !== 's3/aws4_request'
  ) {
    return deny('x-amz-credential is unknown')
  }
  const expected = signatureOf(signer, day ?? '', policy)
  if (!sameText(expected, fields.get('x-amz-signature') ?? '')) return deny('x-amz-signature does not match')

  const { expiration, conditions } = JSON.parse(Buffer.from(policy, 'base64').toString()) as {
    expiration: string
    conditions: Condition[]
  }
  if (now_ms >= Date.parse(expiration)) return deny('the policy has expired')
  return judgeConditions(conditions, fields)
}

function judgeConditions(conditions: Condition[], fields: ReadonlyMap<string, string>): PolicyVerdict {
  const verdict = { ok: true as const, min_bytes: 0, max_bytes: Number.MAX_SAFE_INTEGER, key_prefix: '' }
  for (const condition of conditions.flatMap(asTriples)) {
    const [operator, target, value] = condition
    if (operator === 'content-length-range') {
      verdict.min_bytes = Number(target)
      verdict.max_bytes = Number(value)
      continue
    }
    const name = String(target).replace(/^\$/, '').toLowerCase()
    const given = fields.get(name)
    if (given === undefined) return lacks(name)
    const kept =
      operator === 'eq' ? given === value : operator === 'starts-with' && given.startsWith(String(value))
    if (!kept) return deny(`${name} is not what the policy says`)
    if (operator === 'starts-with' && name === 'key') verdict.key_prefix = String(value)
  }
  return verdict
}

function asTriples(condition: Condition): [string, string | number, string | number][] {
  if (Array.isArray(condition)) return [condition]
  return Object.entries(condition).map(([name, value]) => ['eq', name, value])
}

function lacks(name: string): PolicyVerdict {
  return deny(`the form lacks ${name}: every field of the answer to POST /uploads comes before the file`)
}

function deny(reason: string): PolicyVerdict {
  return { ok: false, reason }
}

function signatureOf(signer: PolicySigner, day: string, policy: string): string {
  let key: Buffer = Buffer.concat([Buffer.from('AWS4'), Buffer.from(signer.secret)])
  for (const part of [day, signer.region, 's3', 'aws4_request']) key = hmac(key, part)
  return hmac(key, policy).toString('hex')
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** Compares without telling by its duration where the texts differ. */
export function sameText(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function amzDate(now_ms: number) {
  return `${new Date(now_ms).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
}
