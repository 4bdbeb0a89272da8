import type { EntityAttribute, EntityReference } from '@cadmus/model/entity-attribute'
import { newEntityContent, type EntityContent } from '@cadmus/model/entity'
import { type EntityType } from '@cadmus/model/data-types'
import { foldName } from '@cadmus/model/paths'
import type { ImportedEntity } from './imported-model.ts'

type Place = {
  uid: string
  type: EntityType
  /** Maps a corpus path to a reference to the stored entity. */
  referenceOf: (corpusPath: string) => EntityReference | undefined
  /** Existing content of the entity; attributes with the same name keep their uids. */
  previous?: EntityContent | undefined
}

/** Converts an imported entity to entity content: corpus paths become references, existing uids are kept. */
export function importedContent(entity: ImportedEntity, { uid, type, referenceOf, previous }: Place): EntityContent {
  const uidOf = existingUids(previous)
  const reference = (imported: EntityReference) => referenceOf(imported.path) ?? { ...imported, id: -1 }
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

/** Finds existing uids by name, case-insensitively; names that differ only in case are matched exactly. */
function existingUids(previous: EntityContent | undefined): (name: string) => string | undefined {
  const written = new Map<string, string>()
  for (const { name, uid } of previous?.typeAttributes ?? []) written.set(name, uid)
  for (const { foreignKeyTypeAttribute: name, uid } of previous?.entityAttributes ?? []) written.set(name, uid)
  const folded = new Map([...written].map(([name, uid]) => [foldName(name), uid]))
  const reference = new Set<string>()
  return name => {
    const uid = written.get(name) ?? folded.get(foldName(name))
    if (uid === undefined || reference.has(uid)) return undefined
    reference.add(uid)
    return uid
  }
}
