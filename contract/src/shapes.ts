import { type Static, type TSchema, type TSchemaOptions, Type } from 'typebox'

/** A closed list of words. */
export function Enum<const T extends readonly (string | number)[]>(values: T, options: TSchemaOptions = {}) {
  const schema = Type.Unsafe<T[number]>({
    type: typeof values[0] === 'number' ? 'integer' : 'string',
    enum: [...values],
    ...options,
  })
  return schema as typeof schema & { enum: T[number][] }
}

export function Nullable<T extends TSchema>(schema: T, options: TSchemaOptions = {}) {
  const { type, enum: values } = schema as { type?: string; enum?: unknown[] }
  if (type === undefined)
    return Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }], ...options })
  const words = values ? { enum: [...values, null] } : {}
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [type, 'null'], ...words, ...options })
}

/** The same shape with a remark of its own: a description or a default for this place. */
export function annotated<T extends TSchema>(schema: T, options: TSchemaOptions): T {
  return { ...schema, ...options }
}

/** Ids are int32 on the wire; larger numbers are read, and simply name nothing. */
export const Id = Type.Integer({ format: 'int32' })

/** UTC instant with milliseconds, for example 2030-01-31T08:05:09.000Z. */
export const Timestamp = Type.String({
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
})
export const NullableTimestamp = Nullable(Timestamp)

/** A time from a caller: an offset is honoured, none means UTC. No format is set, since both are legal. */
export const TimeInput = Type.String()

export const SortOrder = Enum(['asc', 'desc'])
export type SortOrder = Static<typeof SortOrder>

/** Cursor from next_page or prev_page. */
export const Cursor = Type.String({ description: 'Cursor from next_page or prev_page.' })

/** A page size above the maximum is cut, not refused. */
export function Limit(maximum: number) {
  return Type.Integer({
    minimum: 1,
    maximum,
    default: maximum,
    'x-over-maximum': 'clamp',
    description: 'Page size. A larger value is cut to the maximum, not refused.',
  })
}

export const PageNumber = Type.Integer({
  minimum: 1,
  default: 1,
  deprecated: true,
  description: 'Old page-number paging: page number.',
})

export function PerPage(maximum: number, usual: number) {
  return Type.Integer({
    minimum: 1,
    maximum,
    default: usual,
    deprecated: true,
    'x-over-maximum': 'clamp',
    description: 'Old page-number paging: page size. Ignored when `cursor` or `limit` is sent.',
  })
}

export const PaginationMeta = Type.Object({
  paginate: Type.Object({
    next_page: Type.String({ description: 'Cursor forward, also on the last or an empty page.' }),
    prev_page: Type.String({
      description: 'Cursor backward, for records that appeared above the first page.',
    }),
    has_next: Type.Boolean(),
    has_prev: Type.Boolean(),
  }),
})
export type PaginationMeta = Static<typeof PaginationMeta>

export const SearchPaginationMeta = Type.Object({
  total: Type.Integer({
    format: 'int32',
    description: 'Counted up to 1000, in as much of the history as was looked through.',
  }),
  total_is_exact: Type.Boolean({
    description:
      'False where there are, or may be, more than `total`. A page may be short then; its cursor goes on.',
  }),
  paginate: PaginationMeta.properties.paginate,
})
export type SearchPaginationMeta = Static<typeof SearchPaginationMeta>

export function Data<T extends TSchema>(schema: T) {
  return Type.Object({ data: schema })
}

export function Page<T extends TSchema>(item: T) {
  return Type.Object({ data: Type.Array(item), meta: PaginationMeta })
}

export function SearchPage<T extends TSchema>(item: T) {
  return Type.Object({ data: Type.Array(item), meta: SearchPaginationMeta })
}
