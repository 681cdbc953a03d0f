import type { Archive } from '../archive/archive.js'
import { asIds, asText, filled, type JsonObject, readMember } from '../json.js'
import type { ImportRecord } from '../records.js'
import type { Tables } from './tables.js'

const DATA_TYPES: Record<number, 'date' | 'link'> = { 4: 'date', 5: 'link' }

export async function* readFields(archive: Archive, tables: Tables): AsyncIterable<ImportRecord> {
  const fields = new Map<string, JsonObject>()
  for await (const row of readMember(archive, 'realm.json', 'zerver_customprofilefield')) {
    const id = asText(row.id)
    if (!id) continue
    fields.set(id, row)
    yield {
      kind: 'property',
      id,
      name: filled(row.name) ?? id,
      data_type: DATA_TYPES[Number(row.field_type)] ?? 'string',
    }
  }
  for await (const row of readMember(archive, 'realm.json', 'zerver_customprofilefieldvalue')) {
    const [field, person_id, value] = [asText(row.field), asText(row.user_profile), filled(row.value)]
    if (field && person_id && value && fields.has(field))
      yield {
        kind: 'property_value',
        property_id: field,
        person_id,
        value: labelOf(fields.get(field) as JsonObject, value, tables),
      }
  }
}

const CHOICE = 3
const PEOPLE = 6

/** A choice is kept by its key, people by a list of ids; the labels are JSON inside text, and so is the list. */
function labelOf(field: JsonObject, value: string, { people, dummies }: Tables): string {
  const type = Number(field.field_type)
  if (type !== CHOICE && type !== PEOPLE) return value
  try {
    if (type === PEOPLE) {
      const nameOf = (id: string) => filled((people.get(id) ?? dummies.get(id))?.full_name) ?? id
      return asIds(JSON.parse(value)).map(nameOf).join(', ') || value
    }
    const choices = JSON.parse(asText(field.field_data) ?? '{}') as Record<string, { text?: string }>
    return choices[value]?.text ?? value
  } catch {
    return value
  }
}
