import type { ApiAggregate, ApiEntity } from '@cadmus/model/api/api'
import type { JsonTree } from '../json-tree.ts'
import { aggregateField } from '../aggregate-field.ts'
import { fieldSchema } from './schemas.ts'

/** Schema of an aggregate row: grouping columns and computed values. */
export function aggregateSchema(entity: ApiEntity, { columns }: ApiAggregate): JsonTree {
  const properties = columns.flatMap((column): [string, JsonTree][] => {
    const field = aggregateField(entity, column)
    return field ? [[column.alias, fieldSchema(field)]] : []
  })
  return { type: 'object', properties: Object.fromEntries(properties) }
}
