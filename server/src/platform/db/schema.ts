// Printed from the migrated database by `npm run print`.
import type { ColumnType, Generated } from 'kysely'

/** Read as a value, written as JSON text. */
// biome-ignore lint/suspicious/noExplicitAny: the shape of a JSON column is known to its area alone
type Json = ColumnType<any, string, string>
// biome-ignore lint/suspicious/noExplicitAny: the shape of a JSON column is known to its area alone
type DefaultedJson = ColumnType<any, string | undefined, string>
// biome-ignore lint/suspicious/noExplicitAny: the shape of a JSON column is known to its area alone
type NullableJson = ColumnType<any, string | null | undefined, string | null>

export interface DB {
  admission_epoch: {
    id: Generated<number>
    epoch: number
  }
  approvals: {
    id: Generated<number>
    token_id: number
    user_id: number
    operation: string
    request: Json
    request_hash: Buffer
    state: Generated<string>
    created_at: Date
    decided_at: Date | null
  }
  audit_archive: {
    workspace: string
    position: number
    import_id: number
    record: Json
  }
  audit_blocks: {
    position: number
    first_position: number
    previous_hash: Buffer
    hash: Buffer
    bucket: Date
    first_message_id: number
    last_message_id: number
    created_times: Date[]
    sequences: number[]
    message_ids: number[]
    actor_ids: number[]
    ip_addresses: string[]
    user_agents: string[]
  }
  audit_chain: {
    id: Generated<number>
    anchor_position: Generated<number>
    anchor_hash: Generated<Buffer>
    head_position: Generated<number>
    head_hash: Generated<Buffer>
    anchor_seal: Buffer | null
    head_seal: Buffer | null
  }
  audit_events: {
    id: string
    sequence: Generated<number>
    created_at: Date
    event_key: string
    actor_id: number
    entity_type: string
    entity_id: string
    details: Json
    ip_address: string | null
    user_agent: string | null
    position: number | null
    previous_hash: Buffer | null
    hash: Buffer | null
  }
  audit_waiting: {
    id: Generated<number>
    created_at: Date
    sequences: number[]
    message_ids: number[]
    actor_ids: number[]
    ip_addresses: string[]
    user_agents: string[]
  }
  bots: {
    user_id: number
    creator_id: number | null
    outgoing_url: Generated<string>
    events: Generated<string[]>
    trigger_on: Generated<string>
    commands: Generated<string[]>
    template: Generated<string>
    template_engine: Generated<string>
    challenge_key: Generated<string>
    link_preview_enabled: Generated<boolean>
    ignore_self_messages: Generated<boolean>
    events_history_enabled: Generated<boolean>
    single_chat: Generated<boolean>
    can_edit: Generated<string[]>
    who_can_add: Generated<string>
    kind: string | null
    unfurl_domains: Generated<string[]>
    signing_secret: string
    inbound_key: string | null
    last_request_at: Date | null
    last_request: NullableJson
    version: Generated<number>
    failures: Generated<number>
    failing_since: Date | null
    paused_at: Date | null
    oauth_client: NullableJson
    promo: NullableJson
    outgoing_origin: Generated<string>
    old_signing_secret: string | null
    old_secret_until: Date | null
    leash: NullableJson
  }
  chat_members: {
    chat_id: number
    user_id: number
    role: string
    manual: Generated<boolean>
    tag_ids: Generated<number[]>
    joined_at: Date
    read_message_id: Generated<number>
    hidden: Generated<boolean>
    notify_threads: Generated<boolean>
    place: Generated<string>
    bot: Generated<boolean>
    read_number: Generated<number>
  }
  chat_notifications: {
    user_id: number
    chat_id: number
    level: string | null
    muted_until: Date | null
  }
  chat_rosters: {
    chat_id: number
    members_count: number
  }
  chat_search: {
    chat_id: number
    words: string
  }
  chat_tags: {
    chat_id: number
    tag_id: number
  }
  chats: {
    id: Generated<number>
    kind: string
    name: string
    public: Generated<boolean>
    owner_id: number
    personal_key: string | null
    meet_slug: string
    archived_at: Date | null
    created_at: Date
    last_message_id: number | null
    last_message_at: Date
    version: Generated<number>
    messages_count: Generated<number>
    removed_count: Generated<number>
    description: string | null
    appends: Generated<number>
    active_minute: Generated<Date>
  }
  custom_properties: {
    id: Generated<number>
    entity_type: string
    name: string
    data_type: string
    created_at: Date
  }
  deliveries: {
    id: Generated<number>
    bot_id: number
    chat_id: number
    event_id: string
    event_type: string
    payload: string
    state: string
    attempts: Generated<number>
    attempts_before: Generated<number>
    next_attempt_at: Date | null
    held_until: Date | null
    created_at: Date
    message_id: number | null
    alone: Generated<boolean>
    late: Generated<boolean>
    endpoint_id: Generated<number>
    replay_id: Generated<number>
    position: number | null
    original_at: Date | null
    delivered_at: Date | null
    delivered_status: number | null
    delivered_ms: number | null
    unsent: Generated<string | null>
  }
  delivery_attempts: {
    delivery_id: number
    number: number
    at: Date
    status: number | null
    duration_ms: number
    error: string | null
  }
  delivery_lanes: {
    bot_id: number
    chat_id: number
    version: Generated<number>
    due_at: Date
    worker_id: string | null
    endpoint_id: Generated<number>
    replay_id: Generated<number>
    first_id: Generated<number>
    came_id: number | null
  }
  delivery_workers: {
    id: string
    alive_until: Date
  }
  device_codes: {
    hash: Buffer
    user_code: string
    device_name: string | null
    state: Generated<string>
    user_id: number | null
    scopes: string[] | null
    polled_at: Date | null
    expires_at: Date
  }
  dlp_rules: {
    id: Generated<number>
    name: string
    priority: number
    enabled: boolean
    body: Json
    version: Generated<number>
    created_at: Date
    updated_at: Date
  }
  drafts: {
    id: Generated<number>
    user_id: number
    chat_id: number | null
    content: string
    parent_message_id: number | null
    interval: string | null
    start_date: Date | null
    end_date: Date | null
    days: number[] | null
    nth_day: number | null
    next_send_at: Date | null
    due_at: Date | null
    failures: Generated<number>
    created_at: Date
    updated_at: Date
    to_user_id: number | null
    utc_offset: Generated<number>
    time_zone: string | null
  }
  endpoints: {
    id: Generated<number>
    bot_id: number
    name: string
    url: string
    origin: Generated<string>
    events: string[]
    chat_ids: number[] | null
    trigger: string
    signature: string
    public_key: string | null
    signing_key: Buffer
    old_signing_key: Buffer | null
    old_key_until: Date | null
    headers: Buffer | null
    header_names: Generated<string[]>
    disabled: Generated<boolean>
    failures: Generated<number>
    failing_since: Date | null
    paused_at: Date | null
    created_at: Date
  }
  events: {
    id: Generated<number>
    type: string
    chat_id: number | null
    actor_id: number
    payload: Json
    created_at: Date
    position: number | null
  }
  export_entries: {
    export_id: number
    number: number
    name: string
    chat_id: number | null
    crc: number
    compressed: number
    size: number
  }
  export_items: {
    export_id: number
    chat_id: number
    message_id: number
  }
  export_parts: {
    export_id: number
    number: number
    key: string
  }
  exports: {
    id: Generated<number>
    user_id: number
    from_at: Date
    to_at: Date
    chat_ids: number[] | null
    skip_chats_file: boolean
    webhook_url: string | null
    state: Generated<string>
    phase: Generated<string>
    steps: Generated<number>
    day: Date
    hours: Generated<number>
    after_chat_id: Generated<number>
    after_message_id: Generated<number>
    open_entry: NullableJson
    parts: Generated<number>
    entries: Generated<number>
    messages: Generated<number>
    size: number | null
    error: string | null
    created_at: Date
    finished_at: Date | null
  }
  files: {
    id: Generated<number>
    owner_id: number
    key: string
    name: string
    file_type: string
    size: number
    width: number | null
    height: number | null
    duration_ms: number | null
    waveform: string | null
    protected: Generated<boolean>
    message_id: number | null
    draft_id: number | null
    position: Generated<number>
    created_at: Date
    chat_id: number | null
    measured_width: number | null
    measured_height: number | null
    transcript: string | null
  }
  group_tags: {
    id: Generated<number>
    name: string
    created_at: Date
    users_count: Generated<number>
  }
  idempotency_keys: {
    token_id: number
    operation: string
    key: string
    body_hash: Buffer
    status: number | null
    created_at: Date
    sealed_answer: Buffer | null
    message_id: number | null
  }
  identities: {
    provider_id: number
    subject: string
    user_id: number
    created_at: Date
  }
  identity_providers: {
    id: Generated<number>
    slug: string
    name: string
    issuer: string
    client_id: string
    sealed_client_secret: Buffer | null
    scopes: string[]
    groups_claim: string
    group_rules: Json
    create_accounts: boolean
    allowed_domains: string[]
    trust_email: boolean
    enabled: boolean
    created_at: Date
    changed_at: Date
    last_used_at: Date | null
  }
  import_keys: {
    source: string
    workspace: string
    kind: string
    source_id: string
    id: number
    import_id: number
    made: boolean
  }
  import_objects: {
    source: string
    workspace: string
    source_id: string
    import_id: number
    key: string
    name: string
    size: number
    sha256: Buffer
    width: number | null
    height: number | null
  }
  import_orders: {
    id: Generated<number>
    user_id: number
    kind: string
    state: Generated<string>
    path: string | null
    file_key: string | null
    workspace: string | null
    options: DefaultedJson
    mapping: DefaultedJson
    import_id: number | null
    progress: NullableJson
    error: string | null
    report: NullableJson
    created_at: Date
    finished_at: Date | null
    file_keys: string[] | null
    public_key: string | null
  }
  import_records: {
    seq: Generated<number>
    kind: string
    source_id: string
    at: number
    body: Json
    repeated: Generated<boolean>
  }
  import_remarks: {
    import_id: number
    kind: string
    record_kind: string
    reason: string
    count: number
    ids: string[]
  }
  imports: {
    id: Generated<number>
    user_id: number
    source: string
    workspace: string
    archive: string
    options: Json
    state: string
    phase: Generated<number>
    place_at: Generated<number>
    place_seq: Generated<number>
    counts: Json
    created_at: Date
    finished_at: Date | null
    keeps_ids: Generated<boolean>
    records_sha256: Buffer | null
    archive_sha256: Buffer | null
  }
  inbound_posts: {
    id: Generated<number>
    bot_id: number
    content: string
    link_preview: boolean
    after_chat_id: Generated<number>
    ip_address: string | null
    user_agent: string | null
  }
  invites: {
    user_id: number
    nonce: string
    expires_at: Date
  }
  jobs: {
    id: Generated<number>
    kind: string
    key: string | null
    payload: Json
    run_at: Date
    attempts: Generated<number>
    locked_until: Date | null
    failed_at: Date | null
    last_error: string | null
    created_at: Date
  }
  link_previews: {
    message_id: number
    position: number
    url: string
    title: string
    description: string
    image_url: string | null
    image_key: string | null
  }
  loose_objects: {
    key: string
    due_at: Date
    claimed: Generated<boolean>
  }
  mentions: {
    message_id: number
    chat_id: number
    user_id: number | null
    tag_id: number | null
  }
  message_quotas: {
    user_id: number
    chat_id: number
    sent: number
    pause_s: number | null
    paused_until: Date | null
  }
  messages: {
    id: Generated<number>
    chat_id: number
    root_chat_id: number
    user_id: number
    content: string
    parent_message_id: number | null
    buttons: NullableJson
    display_name: string | null
    display_avatar_url: string | null
    forwarding: NullableJson
    system: Generated<boolean>
    has_files: Generated<boolean>
    created_at: Date
    changed_at: Date
    deleted_at: Date | null
    quota_number: number | null
    file_names: string | null
    number: number | null
    system_event: NullableJson
  }
  notices: {
    id: Generated<number>
    user_id: number
    event_id: number
    kind: string
    payload: Json
    created_at: Date
    read_at: Date | null
  }
  notification_settings: {
    user_id: number
    level: Generated<string>
    keywords: Generated<string[]>
    quiet_from: string | null
    quiet_to: string | null
    sound: Generated<boolean>
    mail_digest: Generated<string>
    digest_sent_at: Date | null
    mail_language: string | null
  }
  oauth_codes: {
    hash: Buffer
    bot_id: number
    user_id: number
    redirect_uri: string
    code_challenge: string | null
    scopes: string[]
    expires_at: Date
    token_id: number | null
    resource: string | null
  }
  oauth_grants: {
    token_id: number
    bot_id: number
    user_id: number
    scope: string
    salt: Buffer
    resource: string | null
  }
  passkey_challenges: {
    user_id: number
    purpose: string
    challenge: string
    expires_at: Date
  }
  passkeys: {
    id: Generated<number>
    user_id: number
    name: string
    credential_id: string
    public_key: Buffer
    counter: number
    transports: string[]
    created_at: Date
    last_used_at: Date | null
  }
  password_resets: {
    user_id: number
    nonce: string
    created_at: Date
    expires_at: Date
  }
  pins: {
    message_id: number
    chat_id: number
    user_id: number
    pinned_at: Date
  }
  preferences: {
    user_id: number
    value: Json
    changed_at: Date
  }
  provider_sessions: {
    token_id: number
    provider_id: number
    subject: string
    sid: string | null
    sealed_id_token: Buffer
  }
  push_subscriptions: {
    id: Generated<number>
    user_id: number
    token_id: number
    endpoint: string
    p256dh: string
    auth: string
    created_at: Date
    last_sent_at: Date | null
  }
  queued_events: {
    sequence: Generated<number>
    id: string
    bot_id: number
    event_type: string
    payload: string
    created_at: Date
    message_id: number | null
    position: number | null
  }
  reactions: {
    id: Generated<number>
    message_id: number
    user_id: number
    emoji: string
    code: string
    name: string
    created_at: Date
  }
  recovery_codes: {
    user_id: number
    hash: Buffer
  }
  refresh_tokens: {
    hash: Buffer
    token_id: number
    created_at: Date
    used_at: Date | null
  }
  refusals: {
    id: Generated<number>
    request_id: string
    created_at: Date
    operation: string
    status: number
    code: string
    rule: string
    needs: Json
    has: Json
    object_type: string | null
    object_id: number | null
    user_id: number
    token_id: number
  }
  relay_cursor: {
    id: number
    position: number
  }
  relay_suspects: {
    event_id: number
    attempts: Generated<number>
    last_error: string | null
  }
  replays: {
    id: Generated<number>
    bot_id: number
    endpoint_id: number | null
    endpoint_name: string
    from_at: Date
    to_at: Date
    events: string[] | null
    chat_ids: number[] | null
    only_: string
    state: Generated<string>
    total: number
    position: number
    taken: Generated<number>
    ended: Generated<boolean>
    next_at: Date
    created_at: Date
    finished_at: Date | null
  }
  retention_changes: {
    id: Generated<number>
    user_id: number
    days: Json
    created_at: Date
  }
  retention_progress: {
    kind: string
    swept_to: Date
    seen_id: number
    newest_id: number
  }
  scim_groups: {
    tag_id: number
    external_id: string | null
  }
  scim_requests: {
    id: Generated<number>
    at: Date
    token_name: string
    method: string
    path: string
    status: number
    detail: string | null
  }
  scim_tokens: {
    id: Generated<number>
    name: string
    hash: Buffer
    mask: string
    created_at: Date
    last_used_at: Date | null
  }
  scim_users: {
    user_id: number
    user_name: string
    external_id: string | null
    removed_at: Date | null
  }
  search_changes: {
    id: Generated<number>
    segment: number
    xid: Generated<string>
  }
  search_segments: {
    segment: number
    full_at: string
    oldest: Date | null
    newest: Date | null
  }
  search_words: {
    word: string
    leaving_at: Date | null
    leaving_xid: string | null
  }
  session_confirmations: {
    token_id: number
    confirmed_at: Date
  }
  set_aside_events: {
    id: number
    type: string
    chat_id: number | null
    actor_id: number
    payload: Json
    created_at: Date
    attempts: number
    reason: string
    set_aside_at: Date
  }
  shown_notices: {
    subscription_id: number
    notice_id: number
  }
  shown_pushes: {
    subscription_id: number
    chat_id: number
    message_id: number
  }
  task_performers: {
    task_id: number
    user_id: number
  }
  task_properties: {
    task_id: number
    property_id: number
    value: string
  }
  tasks: {
    id: Generated<number>
    kind: string
    content: string
    due_at: Date | null
    all_day: Generated<boolean>
    priority: number
    user_id: number
    chat_id: number | null
    done_at: Date | null
    remind_at: Date | null
    created_at: Date
  }
  threads: {
    id: Generated<number>
    chat_id: number
    message_id: number | null
    message_chat_id: number | null
    creator_id: number
    created_at: Date
    updated_at: Date
  }
  token_writes: {
    token_id: number
    day: Date
    writes: number
  }
  tokens: {
    id: Generated<number>
    user_id: number
    kind: string
    hash: Buffer
    mask: string
    name: string | null
    scopes: string[]
    created_at: Date
    last_used_at: Date | null
    expires_at: Date | null
    user_agent: string | null
    ip_address: string | null
    limits: NullableJson
    resource: string | null
  }
  totp_factors: {
    user_id: number
    sealed_secret: Buffer
    confirmed_at: Date | null
    last_step: Generated<number>
  }
  triggers: {
    id: string
    bot_id: number
    user_id: number
    chat_id: number
    message_id: number
    told_at: Date | null
    used_at: Date | null
    created_at: Date
    request_token_id: number | null
    request_key: string | null
    request_hash: Buffer | null
  }
  uploads: {
    key_prefix: string
    key: string
    user_id: number
    bytes: number
    uploaded_at: Date
  }
  user_properties: {
    user_id: number
    property_id: number
    value: string
  }
  user_search: {
    user_id: number
    words: string
  }
  user_tags: {
    tag_id: number
    user_id: number
  }
  users: {
    id: Generated<number>
    bot: Generated<boolean>
    role: string
    email: string | null
    password_hash: string | null
    first_name: string | null
    last_name: string | null
    nickname: string
    phone_number: string | null
    department: string | null
    title: string | null
    suspended: Generated<boolean>
    invite_status: Generated<string>
    inviter_id: number | null
    sso: Generated<boolean>
    time_zone: string | null
    image_key: string | null
    status: NullableJson
    created_at: Date
    last_activity_at: Date | null
    deleted_at: Date | null
  }
  view_submits: {
    id: string
    view_id: string
    via: string
    state: string
    errors: NullableJson
    deadline_at: Date
    created_at: Date
    request_token_id: number | null
    request_key: string | null
    request_hash: Buffer | null
  }
  views: {
    id: string
    bot_id: number
    user_id: number
    chat_id: number
    callback_id: string | null
    private_metadata: string | null
    form: Json
    opened_at: Date
    closed_at: Date | null
  }
  workspace: {
    id: Generated<number>
    name: string
    time_zone: Generated<string>
    plan: Generated<string>
    suspended: Generated<boolean>
    integrations: Generated<string>
    personal_tokens: Generated<string>
    show_personal_data: Generated<boolean>
    perimeter: Generated<string[]>
    licenses: number | null
    secret: Buffer
    created_at: Date
    own_names: Generated<string>
    removed_members_keep_threads: Generated<boolean>
    second_factor: Generated<string>
    replays_after: Generated<number>
    password_sign_in: Generated<string>
    files_key_id: Buffer | null
  }
}
