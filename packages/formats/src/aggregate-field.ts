import type { ApiAggregate, ApiEntity, ApiField, ApiFieldType } from '@cadmus/model/api/api'

/** Type of an aggregate column: the type of the field if it groups or selects a value, otherwise a number. */
export function aggregateField(
  entity: ApiEntity,
  { field: name, type, alias }: ApiAggregate['columns'][number],
): ApiField | null {
  const field = entity.fields.find(one => one.name === name)
  if (!field) return null
  const plain: ApiField = { ...field, name: alias, generated: false, default: null, unique: false, references: null }
  const figure: ApiField = { ...plain, description: '', nullable: true, maxLength: null, choices: [] }
  switch (type) {
    case 'GROUPBY':
      return plain
    case 'MIN':
    case 'MAX':
      return { ...plain, nullable: true }
    case 'COUNT':
      return { ...figure, nullable: false, type: long }
    case 'SUM':
      return { ...figure, type: field.type.kind === 'integer' ? long : numberOf(field.type) }
    case 'AVG':
      return { ...figure, type: numberOf(field.type) }
  }
}

const long: ApiFieldType = { kind: 'integer', bits: 64 }

/** The average of exact numbers is exact and is sent as a string. */
function numberOf({ kind }: ApiFieldType): ApiFieldType {
  return kind === 'double' ? { kind } : { kind: 'decimal', precision: null, scale: 0 }
}
