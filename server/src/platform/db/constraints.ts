/** Unique constraints are the checks for uniqueness: what breaking each one is called on the wire. */
export const CONSTRAINTS: Record<string, { status: number; code: 'already_exists'; key: string }> = {
  users_email: { status: 409, code: 'already_exists', key: 'email' },
  group_tags_name: { status: 409, code: 'already_exists', key: 'name' },
  dlp_rules_priority: { status: 409, code: 'already_exists', key: 'priority' },
  users_nickname: { status: 409, code: 'already_exists', key: 'nickname' },
  scim_users_user_name: { status: 409, code: 'already_exists', key: 'userName' },
  identity_providers_slug: { status: 409, code: 'already_exists', key: 'slug' },
  custom_properties_name: { status: 409, code: 'already_exists', key: 'name' },
}
