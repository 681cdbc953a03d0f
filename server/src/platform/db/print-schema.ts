import pg from 'pg'

interface Column {
  table_name: string
  column_name: string
  udt_name: string
  nullable: boolean
  defaulted: boolean
}

const TYPES: Record<string, string> = {
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float8: 'number',
  numeric: 'string',
  bool: 'boolean',
  text: 'string',
  varchar: 'string',
  uuid: 'string',
  bytea: 'Buffer',
  date: 'Date',
  timestamptz: 'Date',
  json: 'Json',
  jsonb: 'Json',
  tsvector: 'string',
  cidr: 'string',
  inet: 'string',
  xid8: 'string',
}

function typeOf(column: Column): string {
  const array = column.udt_name.startsWith('_')
  const base = TYPES[column.udt_name.replace(/^_/, '')]
  if (!base) throw new Error(`No type for ${column.table_name}.${column.column_name} (${column.udt_name})`)
  if (base === 'Json' && column.nullable) return 'NullableJson'
  if (base === 'Json' && column.defaulted) return 'DefaultedJson'
  const plain = base + (array ? '[]' : '')
  const type = column.nullable ? `${plain} | null` : plain
  return column.defaulted ? `Generated<${type}>` : type
}

/** The migrated database as a TypeScript interface, table by table. */
export async function printSchema(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<Column>(`
    select c.table_name, c.column_name, c.udt_name, c.is_nullable = 'YES' as nullable,
      c.column_default is not null or c.is_identity = 'YES' or c.is_generated = 'ALWAYS' as defaulted
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name <> 'schema_migrations'
    order by c.table_name, c.ordinal_position`)
  await client.end()
  const tables = group(rows)
  const body = [...tables].map(([table, columns]) => {
    const fields = columns.map((column) => `    ${column.column_name}: ${typeOf(column)}`)
    return `  ${table}: {\n${fields.join('\n')}\n  }`
  })
  return [
    '// Printed from the migrated database by `npm run print`.',
    "import type { ColumnType, Generated } from 'kysely'",
    '',
    '/** Read as a value, written as JSON text. */',
    '// biome-ignore lint/suspicious/noExplicitAny: the shape of a JSON column is known to its area alone',
    'type Json = ColumnType<any, string, string>',
    '// biome-ignore lint/suspicious/noExplicitAny: the shape of a JSON column is known to its area alone',
    'type DefaultedJson = ColumnType<any, string | undefined, string>',
    '// biome-ignore lint/suspicious/noExplicitAny: the shape of a JSON column is known to its area alone',
    'type NullableJson = ColumnType<any, string | null | undefined, string | null>',
    '',
    'export interface DB {',
    ...body,
    '}',
    '',
  ].join('\n')
}

function group(rows: Column[]): Map<string, Column[]> {
  const tables = new Map<string, Column[]>()
  for (const row of rows) tables.set(row.table_name, [...(tables.get(row.table_name) ?? []), row])
  return tables
}
