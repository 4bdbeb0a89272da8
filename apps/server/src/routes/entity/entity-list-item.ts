import type { EntityListItem } from '@cadmus/model/contract/lists'
import { entityTypes, type EntityType } from '@cadmus/model/data-types'
import { readScopes } from '../../store/entity-content.ts'
import type { EntityListRow } from '../../store/entity-list.ts'

export function entityListItem(row: EntityListRow): EntityListItem {
  const { id, name, path: location, folder } = row
  return { id, name, location, folder, type: typeOf(row.type), operationScopes: readScopes(row.scopes) }
}

function typeOf(text: string): EntityType {
  return entityTypes.find(type => type === text) ?? 'EXCLUSIVE'
}
