import type { Clock } from './clock.js'
import type { Config } from './config.js'
import type { Autocommit, AutocommitPool, Db, Pool, Tx } from './db/index.js'
import type { Replicas } from './db/replicas.js'
import type { Searches } from './db/search-pool.js'
import type { Bell } from './events/bell.js'
import type { RelayRound } from './events/round.js'
import type { Admission } from './http/admit.js'
import type { Log } from './log.js'
import type { Mail } from './mail/mail.js'
import type { Metrics } from './metrics.js'
import type { Online } from './online.js'
import type { Faults } from './outbound/faults.js'
import type { Outbound } from './outbound/outbound.js'
import type { Passwords } from './passwords.js'
import type { Pictures } from './pictures/pictures.js'
import type { Rates } from './rates/rates.js'
import type { Resets } from './resets.js'
import type { Storage } from './storage/storage.js'
import type { Transcriber } from './transcriber.js'

/** What is made once and passed by hand. */
export interface Context {
  config: Config
  log: Log
  clock: Clock
  db: Db
  /** For single statements that commit by themselves; everything else writes inside `transaction()`. */
  autocommit: Autocommit
  pool: Pool
  autocommit_pool: AutocommitPool
  /** Statements of the hot paths: see `openPools`. */
  hot_pool: AutocommitPool
  /** Reads that may take long. */
  searches: Searches
  /** Standbys that answer what may be a moment old; null where there are none. */
  replicas: Replicas | null
  /** Transactions of tokens with limits on chats: their search_path would spoil the plans of other connections. */
  leashed: Autocommit
  /** Set where the transaction sees some chats alone. */
  confined?: true
  /** Set inside an idempotent request: the transaction that is open already. */
  tx?: Tx
  bell: Bell
  /** The batch that the relay of this process works on. */
  round: RelayRound
  rates: Rates
  metrics: Metrics
  outbound: Outbound
  /** For addresses that anybody may name in a message: never loopback, unless the allow list has it. */
  outbound_public: Outbound
  storage: Storage
  /** Null where no transcription server is set. */
  transcriber: Transcriber | null
  /** Set once the process is told to stop: requests are still answered, on connections that end with the answer. */
  drain: { began: boolean }
  /** When a write last found no space; `/readyz` says so for a while. */
  disk: { full_at: number | null }
  mail: Mail
  pictures: Pictures
  passwords: Passwords
  online: Online
  /** Trouble that outgoing webhooks meet on order; the sandbox sets it. */
  faults: Faults
  admission: Admission
  /** What must be forgotten when a sandbox is put back to its start. */
  resets: Resets
  /** Seals the audit chain, and is not in the database. */
  audit_key: Buffer
  /** Signs cursors and links; made with the workspace. */
  secret: Buffer
}
