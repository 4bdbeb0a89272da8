import { resolvedAttributes } from '@cadmus/model/inherit'
import { entitiesByIds, withAncestors } from '../store/entity.ts'
import type { TestConsole } from './console.ts'

/** Returns all relationships of an organisation whose target attribute is unknown or missing. */
export async function danglingColumns(server: TestConsole, organisationId: number): Promise<string[]> {
  const db = server.context.store.of(organisationId)
  const rows = await db.selectFrom('entity').select('id').where('organisation_id', '=', organisationId).execute()
  const ids = rows.map(({ id }) => id)
  const own = await entitiesByIds(db, organisationId, ids)
  const targets = [...own.values()].flatMap(({ content }) =>
    content.entityAttributes.flatMap(item => [
      item.associatedEntity.id,
      ...item.alternativeTargets.map(t => t.entity.id),
    ]),
  )
  const nodes = await withAncestors(db, organisationId, (await entitiesByIds(db, organisationId, targets)).values())
  const isThere = (id: number, uid: string | null | undefined) => {
    const node = nodes.get(id)
    const columns = node ? resolvedAttributes(node, other => nodes.get(other)) : []
    return columns.some(column => (column.kind === 'type' ? column.attribute : column.relationship).uid === uid)
  }
  return [...own.values()].flatMap(({ name, content }) =>
    content.entityAttributes.flatMap(item => {
      const isWhole =
        isThere(item.associatedEntity.id, item.associatedEntityTypeAttributeUid) &&
        item.alternativeTargets.every(other => isThere(other.entity.id, other.attributeUid))
      return isWhole ? [] : [`${name}.${item.foreignKeyTypeAttribute}`]
    }),
  )
}
