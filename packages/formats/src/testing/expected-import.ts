import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { resolvedAttributes } from '@cadmus/model/inherit'
import type { EntityNode } from '@cadmus/model/entity'
import { comparable } from './equal-models.ts'

/**
 * The model expected after export and import: unchanged, except that entities whose parents are not exported own
 * copies of the inherited attributes, with new uids.
 */
export function expectedAfterImport(resolvedModel: ResolvedModel) {
  const members = new Set(resolvedModel.entities.map(({ id }) => id))
  const left = resolvedModel.entities.filter(({ extendsEntity }) => extendsEntity && !members.has(extendsEntity.id))
  const alone = new Map(left.map(entity => [entity.id, withoutParent(entity, resolvedModel)]))
  const entities = resolvedModel.entities.map(entity => alone.get(entity.id) ?? entity)
  return comparable({ ...resolvedModel, entities }, existingUids(resolvedModel))
}

/** Uids of all attributes in the model. After an import, only copies have others. */
export function existingUids({ entities }: ResolvedModel): ReadonlySet<string> {
  const columns = ({ typeAttributes, entityAttributes }: EntityNode) => [...typeAttributes, ...entityAttributes]
  return new Set(entities.flatMap(entity => columns(entity).map(({ uid }) => uid)))
}

function withoutParent(entity: EntityNode, { byId }: ResolvedModel): EntityNode {
  const typeAttributes: EntityNode['typeAttributes'] = []
  const entityAttributes: EntityNode['entityAttributes'] = []
  for (const [position, of] of resolvedAttributes(entity, id => byId.get(id)).entries()) {
    const isOwn = of.declaredBy.id === entity.id
    const demoted = !isOwn && !of.isPrimaryKey
    if (of.kind === 'type') {
      const { uid, copiedFrom, purpose } = of.attribute
      const common = { purpose: demoted && purpose === 'identifiedBy' ? ('hasA' as const) : purpose, position }
      typeAttributes.push({
        ...of.attribute,
        ...common,
        uid: isOwn ? uid : 'new',
        copiedFrom: isOwn ? copiedFrom : uid,
      })
    } else {
      const { uid, copiedFrom, foreignKeyPurpose: purpose } = of.relationship
      const common = {
        foreignKeyPurpose: demoted && purpose === 'identifiedBy' ? ('hasA' as const) : purpose,
        position,
      }
      entityAttributes.push({
        ...of.relationship,
        ...common,
        uid: isOwn ? uid : 'new',
        copiedFrom: isOwn ? copiedFrom : uid,
      })
    }
  }
  return { ...entity, extendsEntity: null, typeAttributes, entityAttributes }
}
