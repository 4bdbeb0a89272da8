import type { Closure } from '@cadmus/model/closure'
import { resolvedAttributes } from '@cadmus/model/inherit'
import type { EntityNode } from '@cadmus/model/entity'
import { comparable } from './equal-models.ts'

// For tests only.

/**
 * What comes back of a model: itself, but for entities whose parents stay behind: they hold what they inherited as copies of their own,
 * whose uids nobody knows before.
 */
export function expectedBack(closure: Closure) {
  const members = new Set(closure.entities.map(({ id }) => id))
  const left = closure.entities.filter(({ extendsEntity }) => extendsEntity && !members.has(extendsEntity.id))
  const alone = new Map(left.map(entity => [entity.id, standingAlone(entity, closure)]))
  const entities = closure.entities.map(entity => alone.get(entity.id) ?? entity)
  return comparable({ ...closure, entities }, knownUids(closure))
}

/** The uids of all attributes that the model has: what comes back has no others but for copies. */
export function knownUids({ entities }: Closure): ReadonlySet<string> {
  const columns = ({ typeAttributes, entityAttributes }: EntityNode) => [...typeAttributes, ...entityAttributes]
  return new Set(entities.flatMap(entity => columns(entity).map(({ uid }) => uid)))
}

function standingAlone(entity: EntityNode, { byId }: Closure): EntityNode {
  const typeAttributes: EntityNode['typeAttributes'] = []
  const entityAttributes: EntityNode['entityAttributes'] = []
  for (const [position, of] of resolvedAttributes(entity, id => byId.get(id)).entries()) {
    const isOwn = of.declaredBy.id === entity.id
    const demoted = !isOwn && !of.isPrimaryKey
    if (of.kind === 'type') {
      const { uid, copiedFrom, purpose } = of.attribute
      const kept = { purpose: demoted && purpose === 'identifiedBy' ? ('hasA' as const) : purpose, position }
      typeAttributes.push({ ...of.attribute, ...kept, uid: isOwn ? uid : 'new', copiedFrom: isOwn ? copiedFrom : uid })
    } else {
      const { uid, copiedFrom, foreignKeyPurpose: purpose } = of.relationship
      const kept = { foreignKeyPurpose: demoted && purpose === 'identifiedBy' ? ('hasA' as const) : purpose, position }
      entityAttributes.push({
        ...of.relationship,
        ...kept,
        uid: isOwn ? uid : 'new',
        copiedFrom: isOwn ? copiedFrom : uid,
      })
    }
  }
  return { ...entity, extendsEntity: null, typeAttributes, entityAttributes }
}
