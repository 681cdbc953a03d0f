import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { RateWindow } from '@parley/contract'
import ipaddr from 'ipaddr.js'
import {
  bearer,
  ConfigError,
  database,
  email,
  filesKeys,
  flag,
  isClientId,
  isHeaderName,
  isHostName,
  isNetwork,
  isProxy,
  language,
  listOf,
  password,
  prefixes,
  type Read,
  rateWindows,
  replicas,
  role,
  roomPattern,
  sender,
  service,
  text,
  token,
  url,
  whole,
  word,
} from './config-readers.js'

export interface Config {
  host: string
  port: number
  data_dir: string
  /** Archives that the owner may import by the API; null where there are none. */
  import_dir: string | null
  database_url: string | null
  /** A pooler of connections before it, in transaction mode. */
  database_pooler_url: string | null
  /** Standbys that follow it and answer reads. */
  database_replica_urls: string[]
  redis_url: string | null
  public_url: string
  app_url: string
  /** Where video rooms are: an address with `{room}` in it; null without a video server. */
  meet_url: string | null
  api_prefixes: string[]
  workspace_name: string
  plan: 'corporation' | 'standard'
  owner_email: string | null
  owner_password: string | null
  owner_token: string | null
  run: 'all' | 'web' | 'worker'
  /** Where a worker, which has no other address, answers whether it is well. */
  health_port: number | null
  /** How long a process that is told to stop still answers, so that a proxy finds out. */
  drain_ms: number
  pool_size: number
  log_level: string
  log_format: 'auto' | 'pretty' | 'json'
  /** Whether each answered request is a line of the log. */
  log_requests: boolean
  rate_limits: boolean
  /** Other limits than those of the contract, by the name of their window. */
  rate_windows: RateWindow[]
  /** Messages a sender may create in one chat and its threads within 24 hours. */
  daily_messages: number
  trusted_proxies: string[]
  outbound_allow: string[]
  /** The same signature goes out under each of these. */
  signature_headers: string[]
  view_submit_type: string
  /** Command line clients that may sign in by a device code. */
  cli_client_ids: string[]
  smtp_url: string | null
  mail_from: string
  max_upload_bytes: number
  /** What a person may upload in 14 days. */
  upload_quota_bytes: number
  s3_endpoint: string | null
  s3_public_endpoint: string | null
  s3_region: string
  s3_bucket: string | null
  s3_access_key_id: string | null
  s3_secret_access_key: string | null
  /** Encrypt files: the first new ones, each what it encrypted. None: files are kept as they are. */
  files_keys: Buffer[]
  /** Start although files were encrypted with another key: it is gone, and they with it. */
  files_key_lost: boolean
  /** A server with the common transcription call; null: voice messages get no transcripts. */
  transcribe_url: string | null
  transcribe_model: string
  /** The language that is spoken; null leaves it to that server. */
  transcribe_language: string | null
  transcribe_key: string | null
  licenses: number | null
  /** Seals the audit chain; a file of the data folder where it is not given. */
  audit_key: string | null
  /** Bots may be called on loopback while nobody elsewhere reaches this server: neither directly nor by its public address. */
  loopback_only: boolean
}

/** What each variable is called, how it is read, and what it is when absent. The table of docs/running.md. */
const VARIABLES = {
  HOST: [text, '127.0.0.1'],
  PORT: [whole(0, 65535), '8080'],
  DATABASE_URL: [database, null],
  DATABASE_POOLER_URL: [database, null],
  DATABASE_REPLICA_URL: [replicas, null],
  REDIS_URL: [url(['redis:', 'rediss:']), null],
  PARLEY_DATA_DIR: [text, './data'],
  PARLEY_IMPORT_DIR: [text, null],
  PARLEY_PUBLIC_URL: [url(['http:', 'https:']), null],
  PARLEY_APP_URL: [url(['http:', 'https:']), null],
  PARLEY_MEET_URL: [roomPattern, null],
  PARLEY_API_PREFIXES: [prefixes, '/v1'],
  PARLEY_WORKSPACE_NAME: [text, 'Parley'],
  PARLEY_PLAN: [word(['corporation', 'standard']), 'corporation'],
  PARLEY_OWNER_EMAIL: [email, null],
  PARLEY_OWNER_PASSWORD: [password, null],
  PARLEY_OWNER_TOKEN: [token, null],
  PARLEY_RUN: [role, 'all'],
  PARLEY_HEALTH_PORT: [whole(0, 65535), null],
  PARLEY_DRAIN_SECONDS: [whole(0, 300), '0'],
  PARLEY_POOL_SIZE: [whole(2, 200), '10'],
  PARLEY_LOG_LEVEL: [word(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']), 'info'],
  PARLEY_LOG_FORMAT: [word(['auto', 'pretty', 'json']), 'auto'],
  PARLEY_LOG_REQUESTS: [flag, 'on'],
  PARLEY_RATE_LIMITS: [flag, 'on'],
  PARLEY_RATE_WINDOWS: [rateWindows, ''],
  PARLEY_DAILY_MESSAGES: [whole(100, 1_000_000_000), '5000'],
  PARLEY_TRUSTED_PROXIES: [listOf(isProxy, 'addresses and networks such as 10.0.0.0/8'), ''],
  PARLEY_OUTBOUND_ALLOW: [
    listOf((item) => isNetwork(item) || isHostName(item), 'networks such as 10.0.0.0/8 and host names'),
    '',
  ],
  PARLEY_SIGNATURE_HEADER: [listOf(isHeaderName, 'names of HTTP headers'), 'Service-Signature'],
  PARLEY_VIEW_SUBMIT_TYPE: [text, 'view_submit'],
  PARLEY_CLI_CLIENT_IDS: [listOf(isClientId, 'ids of command line clients'), 'parley_cli'],
  PARLEY_SMTP_URL: [url(['smtp:', 'smtps:']), null],
  PARLEY_MAIL_FROM: [sender, 'Parley <parley@localhost>'],
  PARLEY_MAX_UPLOAD_BYTES: [whole(1, Number.MAX_SAFE_INTEGER), String(512 * 1024 * 1024)],
  PARLEY_UPLOAD_QUOTA_BYTES: [whole(1, Number.MAX_SAFE_INTEGER), String(20 * 1024 ** 3)],
  PARLEY_S3_ENDPOINT: [url(['http:', 'https:']), null],
  PARLEY_S3_PUBLIC_ENDPOINT: [url(['http:', 'https:']), null],
  PARLEY_S3_REGION: [text, 'us-east-1'],
  PARLEY_S3_BUCKET: [text, null],
  PARLEY_S3_ACCESS_KEY_ID: [text, null],
  PARLEY_S3_SECRET_ACCESS_KEY: [text, null],
  PARLEY_FILES_KEY: [filesKeys, ''],
  PARLEY_TRANSCRIBE_URL: [service, null],
  PARLEY_TRANSCRIBE_MODEL: [text, null],
  PARLEY_TRANSCRIBE_LANGUAGE: [language, null],
  PARLEY_TRANSCRIBE_KEY: [bearer, null],
  PARLEY_AUDIT_KEY: [text, null],
  PARLEY_LICENSES: [whole(1, 1_000_000_000), null],
} as const satisfies Record<string, readonly [Read<unknown>, string | null]>

type Name = keyof typeof VARIABLES
export const CONFIG_NAMES = Object.keys(VARIABLES) as Name[]

type Value<N extends Name> =
  | ReturnType<(typeof VARIABLES)[N][0]>
  | ((typeof VARIABLES)[N][1] extends null ? null : never)

function isLoopback(host: string): boolean {
  if (host === 'localhost') return true
  return ipaddr.isValid(host) && ipaddr.parse(host).range() === 'loopback'
}

/** Read by commands, by bots that follow our examples, and by tests; a shell that has them set may still run the server. */
const OF_OTHERS = new Set([
  'PARLEY_URL',
  'PARLEY_TOKEN',
  'PARLEY_IMPORT_TOKEN',
  'PARLEY_SIGNING_SECRET',
  'PARLEY_BROWSER',
  'PARLEY_BROWSER_LIBRARIES',
  'PARLEY_AXE',
  'PARLEY_TEXTS',
])

function unknownNames(env: NodeJS.ProcessEnv): string[] {
  const ours = Object.keys(env).filter((key) => key.startsWith('PARLEY_') && !OF_OTHERS.has(key))
  return ours.filter((name) => !(name in VARIABLES) && !(name.replace(/_FILE$/, '') in VARIABLES))
}

/** A store is given whole or not at all. */
function missingOfS3(config: Config): string[] {
  const parts = {
    PARLEY_S3_ENDPOINT: config.s3_endpoint,
    PARLEY_S3_BUCKET: config.s3_bucket,
    PARLEY_S3_ACCESS_KEY_ID: config.s3_access_key_id,
    PARLEY_S3_SECRET_ACCESS_KEY: config.s3_secret_access_key,
  }
  const given = Object.values(parts).some((part) => part !== null)
  return given ? Object.entries(parts).flatMap(([name, part]) => (part === null ? [name] : [])) : []
}

function readFileTwin(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8').trimEnd()
  } catch {
    throw new ConfigError(`${name}_FILE names ${path}, which cannot be read.`)
  }
}

/** Reads settings one by one; a fault is added to the list, and the setting's default taken. */
function createReader(env: NodeJS.ProcessEnv, faults: string[]) {
  return <N extends Name>(name: N): Value<N> => {
    const [read, usual] = VARIABLES[name]
    const parsed = (given: string | null) => (given === null ? null : read(given, name)) as Value<N>
    try {
      const file = env[`${name}_FILE`]
      return parsed(file ? readFileTwin(file, name) : env[name] || usual)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      faults.push(error.message)
      return parsed(usual)
    }
  }
}

/** Reads and checks the whole configuration; every fault is reported, one line each. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const faults = unknownNames(env).map((name) => `${name} is not a setting of Parley.`)
  const value = createReader(env, faults)
  const host = value('HOST')
  const port = value('PORT')
  const public_url = value('PARLEY_PUBLIC_URL') ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const config: Config = {
    host,
    port,
    data_dir: resolve(value('PARLEY_DATA_DIR')),
    import_dir: value('PARLEY_IMPORT_DIR'),
    database_url: value('DATABASE_URL'),
    database_pooler_url: value('DATABASE_POOLER_URL'),
    database_replica_urls: value('DATABASE_REPLICA_URL') ?? [],
    redis_url: value('REDIS_URL'),
    public_url,
    app_url: value('PARLEY_APP_URL') ?? public_url,
    meet_url: value('PARLEY_MEET_URL'),
    api_prefixes: value('PARLEY_API_PREFIXES'),
    workspace_name: value('PARLEY_WORKSPACE_NAME'),
    plan: value('PARLEY_PLAN'),
    owner_email: value('PARLEY_OWNER_EMAIL'),
    owner_password: value('PARLEY_OWNER_PASSWORD'),
    owner_token: value('PARLEY_OWNER_TOKEN'),
    run: value('PARLEY_RUN'),
    health_port: value('PARLEY_HEALTH_PORT'),
    drain_ms: value('PARLEY_DRAIN_SECONDS') * 1000,
    pool_size: value('PARLEY_POOL_SIZE'),
    log_level: value('PARLEY_LOG_LEVEL'),
    log_format: value('PARLEY_LOG_FORMAT'),
    log_requests: value('PARLEY_LOG_REQUESTS'),
    rate_limits: value('PARLEY_RATE_LIMITS'),
    rate_windows: value('PARLEY_RATE_WINDOWS'),
    daily_messages: value('PARLEY_DAILY_MESSAGES'),
    trusted_proxies: value('PARLEY_TRUSTED_PROXIES'),
    outbound_allow: value('PARLEY_OUTBOUND_ALLOW'),
    signature_headers: value('PARLEY_SIGNATURE_HEADER'),
    view_submit_type: value('PARLEY_VIEW_SUBMIT_TYPE'),
    cli_client_ids: value('PARLEY_CLI_CLIENT_IDS'),
    smtp_url: value('PARLEY_SMTP_URL'),
    mail_from: value('PARLEY_MAIL_FROM'),
    max_upload_bytes: value('PARLEY_MAX_UPLOAD_BYTES'),
    upload_quota_bytes: value('PARLEY_UPLOAD_QUOTA_BYTES'),
    s3_endpoint: value('PARLEY_S3_ENDPOINT'),
    s3_public_endpoint: value('PARLEY_S3_PUBLIC_ENDPOINT'),
    s3_region: value('PARLEY_S3_REGION'),
    s3_bucket: value('PARLEY_S3_BUCKET'),
    s3_access_key_id: value('PARLEY_S3_ACCESS_KEY_ID'),
    s3_secret_access_key: value('PARLEY_S3_SECRET_ACCESS_KEY'),
    files_keys: value('PARLEY_FILES_KEY').keys,
    files_key_lost: value('PARLEY_FILES_KEY').lost,
    transcribe_url: value('PARLEY_TRANSCRIBE_URL'),
    transcribe_model: value('PARLEY_TRANSCRIBE_MODEL') ?? 'whisper-1',
    transcribe_language: value('PARLEY_TRANSCRIBE_LANGUAGE'),
    transcribe_key: value('PARLEY_TRANSCRIBE_KEY'),
    licenses: value('PARLEY_LICENSES'),
    audit_key: value('PARLEY_AUDIT_KEY'),
    loopback_only: isLoopback(host) && isLoopback(new URL(public_url).hostname.replace(/^\[(.*)\]$/, '$1')),
  }
  faults.push(...missingBeside(config))
  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  return config
}

/** Settings that others need and that are not given. */
function missingBeside(config: Config): string[] {
  const beside = {
    DATABASE_POOLER_URL: config.database_pooler_url,
    DATABASE_REPLICA_URL: config.database_replica_urls[0],
  }
  const alone = Object.entries(beside).filter(([, given]) => given && !config.database_url)
  return [
    ...missingOfS3(config).map((name) => `${name} is missing: a file store needs all of its settings.`),
    ...alone.map(([name]) => `${name} needs DATABASE_URL too: the address of the database itself.`),
  ]
}
