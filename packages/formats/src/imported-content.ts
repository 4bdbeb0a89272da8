import type { EntityAttribute, EntityReference } from '@cadmus/model/entity-attribute'
import { newEntityContent, type EntityContent } from '@cadmus/model/entity'
import { type EntityType } from '@cadmus/model/entity-types'
import { foldName } from '@cadmus/model/paths'
import type { ImportedEntity } from './imported-model.ts'

type Place = {
  uid: string
  type: EntityType
  /** What a corpus path became in the store. */
  referenceOf: (corpusPath: string) => EntityReference | undefined
  /** What the entity was before, where it was there: attributes are matched by name and keep their uids. */
  previous?: EntityContent | undefined
}

/** An imported entity as content of the store: corpus paths become references, uids stay what they were. */
export function importedContent(entity: ImportedEntity, { uid, type, referenceOf, previous }: Place): EntityContent {
  const uidOf = knownUids(previous)
  const reference = (given: EntityReference) => referenceOf(given.path) ?? { ...given, id: -1 }
  return newEntityContent({
    uid,
    type,
    name: entity.name,
    description: entity.description,
    extendsEntity: entity.extendsEntity === null ? null : (referenceOf(entity.extendsEntity) ?? null),
    referenceImportPaths: entity.referenceImportPaths,
    traits: entity.traits,
    copiedFrom: entity.copiedFrom,
    typeAttributes: entity.typeAttributes.map(attribute => ({
      ...attribute,
      uid: uidOf(attribute.name) ?? attribute.uid,
    })),
    entityAttributes: entity.entityAttributes.map((attribute): EntityAttribute => ({
      ...attribute,
      uid: uidOf(attribute.foreignKeyTypeAttribute) ?? attribute.uid,
      associatedEntity: reference(attribute.associatedEntity),
      alternativeTargets: attribute.alternativeTargets.map(target => ({ ...target, entity: reference(target.entity) })),
    })),
  })
}

/** The uid that a name had before, in any case: names that differ in case only have one each, as they are written. */
function knownUids(previous: EntityContent | undefined): (name: string) => string | undefined {
  const written = new Map<string, string>()
  for (const { name, uid } of previous?.typeAttributes ?? []) written.set(name, uid)
  for (const { foreignKeyTypeAttribute: name, uid } of previous?.entityAttributes ?? []) written.set(name, uid)
  const folded = new Map([...written].map(([name, uid]) => [foldName(name), uid]))
  const given = new Set<string>()
  return name => {
    const uid = written.get(name) ?? folded.get(foldName(name))
    if (uid === undefined || given.has(uid)) return undefined
    given.add(uid)
    return uid
  }
}
