import { type RawBuilder, sql } from 'kysely'
import { type Filter, parse } from 'scim2-parse-filter'
import { ScimError } from './error.js'
import { lowerName, lowerNames } from './names.js'

/** The columns behind attributes that can be filtered by; texts compare without regard to case, as SCIM has it for these. */
type Columns = Record<
  string,
  { text: RawBuilder<unknown> } | { boolean: RawBuilder<unknown> } | { exact: RawBuilder<unknown> }
>

const FULL_NAME = sql`coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.nickname)`

export const USER_COLUMNS: Columns = {
  id: { exact: sql`u.id::text` },
  externalid: { exact: sql`s.external_id` },
  username: { text: sql`coalesce(s.user_name, u.email, u.nickname)` },
  displayname: { text: FULL_NAME },
  'emails.value': { text: sql`u.email` },
  emails: { text: sql`u.email` },
  'name.givenname': { text: sql`u.first_name` },
  'name.familyname': { text: sql`u.last_name` },
  active: { boolean: sql`not u.suspended` },
}

export const GROUP_COLUMNS: Columns = {
  id: { exact: sql`t.id::text` },
  externalid: { exact: sql`s.external_id` },
  displayname: { text: sql`t.name` },
}

const invalidFilter = (detail: string) => new ScimError(400, detail, 'invalidFilter')

function compare(columns: Columns, attribute: string, value: unknown): RawBuilder<unknown> {
  const column = columns[lowerName(attribute)]
  if (!column)
    throw invalidFilter(`${attribute} cannot be filtered by: use ${Object.keys(columns).join(', ')}`)
  if ('boolean' in column) return sql`(${column.boolean}) = ${String(value).toLowerCase() === 'true'}`
  const text = String(value).replaceAll('\0', '')
  return 'exact' in column ? sql`${column.exact} = ${text}` : sql`lower(${column.text}) = lower(${text})`
}

function translate(columns: Columns, filter: Filter, prefix = ''): RawBuilder<unknown> {
  if (filter.op === 'and' && 'filters' in filter && filter.filters.length === 0) return sql`true`
  if (filter.op === 'and' && 'filters' in filter)
    return sql`(${sql.join(
      filter.filters.map((part) => translate(columns, part, prefix)),
      sql` and `,
    )})`
  if (filter.op === '[]' && 'valFilter' in filter)
    return translate(columns, withoutType(filter.valFilter), `${filter.attrPath}.`)
  if (filter.op === 'eq' && 'compValue' in filter)
    return compare(columns, prefix + filter.attrPath, filter.compValue)
  throw invalidFilter(`${filter.op} is not supported: use eq and and`)
}

/** `emails[type eq "work" and value eq "x"]`: there is one mail, whatever it is called. */
function withoutType(filter: Filter): Filter {
  if (filter.op !== 'and' || !('filters' in filter)) return filter
  const kept = filter.filters.filter(
    (part) => !('attrPath' in part && /^(type|primary)$/i.test(part.attrPath)),
  )
  return kept.length === 1 ? (kept[0] as Filter) : { ...filter, filters: kept }
}

/** A filter of a list as a condition on its rows. */
export function conditionOf(columns: Columns, text: string | undefined): RawBuilder<unknown> {
  if (text === undefined || text.trim() === '') return sql`true`
  let filter: Filter
  try {
    filter = parse(lowerNames(text))
  } catch (error) {
    throw invalidFilter((error as Error).message)
  }
  return translate(columns, filter)
}
