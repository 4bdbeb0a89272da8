import { type Column, isRelationship, isTypeAttribute } from '../columns.ts'
import type { EntityAttribute } from '../entity-attribute.ts'
import type { EntityContent } from '../entity.ts'
import { newEntityId } from './targets.ts'

// Relationships to entities that are yet to be created.

/** Uids of the new entities. */
export type NewEntities = ReadonlySet<string>

function isLink({ associatedEntity: { id, uid } }: EntityAttribute, fresh: NewEntities): boolean {
  return id === newEntityId && uid !== undefined && fresh.has(uid)
}

/** The content with the columns before in place of relationships to new entities. */
export function withoutLinks(content: EntityContent, fresh: NewEntities, former?: EntityContent): EntityContent {
  const linked = new Set(content.entityAttributes.filter(one => isLink(one, fresh)).map(({ uid }) => uid))
  if (linked.size === 0) return content
  const before = <T extends Column>(columns: readonly T[]) => columns.filter(({ uid }) => linked.has(uid))
  const others = content.entityAttributes.filter(({ uid }) => !linked.has(uid))
  return {
    ...content,
    typeAttributes: [...content.typeAttributes, ...before(former?.typeAttributes ?? []).filter(isTypeAttribute)],
    entityAttributes: [...others, ...before(former?.entityAttributes ?? []).filter(isRelationship)],
  }
}

/** The content as the rules of stored entities can check it: a large id stands for those to come. */
export function withLinksAsStored(content: EntityContent, fresh: NewEntities): EntityContent {
  if (!content.entityAttributes.some(one => isLink(one, fresh))) return content
  const entityAttributes = content.entityAttributes.map(one =>
    isLink(one, fresh) ? { ...one, associatedEntity: { ...one.associatedEntity, id: Number.MAX_SAFE_INTEGER } } : one,
  )
  return { ...content, entityAttributes }
}
