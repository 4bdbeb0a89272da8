import { canonicalJson } from '@cadmus/model/content'
import type { EntityNode } from '@cadmus/model/entity'
import { newEntityAttribute, type EntityAttribute, type EntityReference } from '@cadmus/model/entity-attribute'
import { declaredAttributes, type ResolvedAttribute } from '@cadmus/model/inherit'
import { newTypeAttribute, type TypeAttribute } from '@cadmus/model/type-attribute'
import {
  hashOf,
  type SidecarAttribute,
  type SidecarEntity,
  type SidecarManifest,
  type SidecarReference,
} from './sidecar.ts'
import type { ManifestNode } from '@cadmus/model/manifest'
import { objectPath, type Place } from './layout.ts'
import { labelTrait } from './to-type-attribute.ts'
import { importsOf, demoted } from './write-entity.ts'
import { labelsOf, writtenTraits } from './write-traits.ts'
import type { WrittenAttribute } from './written-entity.ts'
import type { WrittenDocument, WrittenTarget } from './written-model.ts'
import { typeAsRead } from './written-type.ts'

/** Reference targets: documents of the folder, and external entities by id. */
export type ReferenceTargets = {
  documents: ReadonlyMap<number, WrittenDocument>
  external: ReadonlyMap<number, EntityNode>
}

export function toSidecarManifest(manifest: ManifestNode, place: Place, text: string): SidecarManifest {
  const { uid, name, importsPath, enumerations } = manifest
  return {
    path: place.path,
    hash: hashOf(text),
    uid,
    ...(name === place.name ? {} : { name }),
    importsPath,
    ...(enumerations.length === 0 ? {} : { enumerations }),
  }
}

/** The parts of an entity that its document does not contain. */
export function toSidecarEntity(
  document: WrittenDocument,
  text: string,
  version: string | undefined,
  context: ReferenceTargets,
) {
  const { entity, place } = document
  const { uid, name, copiedFrom, groups, checks, traits, referenceImportPaths } = entity
  const written = writtenTraits(traits, place.name, version)
  const imports = importsOf(document).map(item => item['corpusPath'])
  const record: SidecarEntity = {
    path: objectPath(place),
    hash: hashOf(text),
    uid,
    ...(name === place.name ? {} : { name }),
    ...(copiedFrom === null ? {} : { copiedFrom }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(checks.length === 0 ? {} : { checks }),
    ...(isSame(written.asRead, traits) ? {} : { traits }),
    ...(isSame(imports, referenceImportPaths) ? {} : { referenceImportPaths }),
    ...omittedParent(document, context),
    attributes: attributesOf(document, context).map(attribute => toSidecarAttribute(attribute, document, context)),
  }
  return record
}

/** Own attributes in model order; if the parent is not exported, all attributes in document order. */
function attributesOf(
  { entity, parent, own }: WrittenDocument,
  { documents }: ReferenceTargets,
): readonly WrittenAttribute[] {
  if (!parent && !documents.has(entity.extendsEntity?.id ?? -1)) return own
  const written = new Map(own.map(attribute => [uidOf(attribute.of), attribute]))
  return declaredAttributes(entity).flatMap(of => written.get(uidOf(of)) ?? [])
}

function uidOf(of: ResolvedAttribute): string {
  return of.kind === 'type' ? of.attribute.uid : of.relationship.uid
}

function omittedParent({ entity, parent, own }: WrittenDocument, { documents }: ReferenceTargets) {
  const hidden = parent ? undefined : documents.get(entity.extendsEntity?.id ?? -1)
  if (!hidden) return {}
  const inherited = own.filter(({ of }) => of.declaredBy.id !== entity.id).map(({ name }) => name)
  return { extendsEntity: objectPath(hidden.place), inherited }
}

/** Attributes inherited from a parent that is not exported become copies owned by the entity. */
function toSidecarAttribute(
  written: WrittenAttribute,
  { entity, targets }: WrittenDocument,
  context: ReferenceTargets,
): SidecarAttribute {
  const { name, of } = written
  const isOwn = of.declaredBy.id === entity.id
  if (of.kind === 'type') {
    const { uid, position: _position, ...fields } = of.attribute
    const actual = isOwn ? fields : { ...fields, copiedFrom: uid, purpose: demoted(fields.purpose, of.isPrimaryKey) }
    const plain = written.redefines ? {} : attributeAsRead(name, { ...of.attribute, purpose: actual.purpose })
    return { kind: 'type', name, ...(isOwn ? { uid } : {}), fields: differing(actual, plain) }
  }
  const { uid } = of.relationship
  const fields = relationshipFieldsOf(of.relationship, context)
  const foreignKeyPurpose = demoted(fields.foreignKeyPurpose, of.isPrimaryKey)
  const actual = isOwn ? fields : { ...fields, copiedFrom: uid, foreignKeyPurpose }
  const target = targets.get(name)
  const plain: Partial<typeof actual> = target
    ? relationshipFieldsOf(relationshipAsRead(name, { ...of.relationship, foreignKeyPurpose }, target), context)
    : {}
  // Readers take the data type from the end of the reference chain.
  if (target?.attribute.of.kind !== 'type' || target.attribute.of.dataType !== actual.foreignKeyDataType)
    delete plain.foreignKeyDataType
  return { kind: 'relationship', name, ...(isOwn ? { uid } : {}), fields: differing(actual, plain) }
}

/** The attribute as readers restore it from the document; fields that are not certain are omitted. */
function attributeAsRead(name: string, attribute: TypeAttribute): Partial<TypeAttribute> {
  const { dataType, purpose, description, nullable, maxLength, choices, traits } = attribute
  const labels = labelsOf(traits, choices) ?? []
  const type = typeAsRead(attribute)
  const read: Partial<TypeAttribute> = newTypeAttribute({
    name,
    position: 0,
    ...type,
    purpose,
    description,
    nullable,
    maxLength: dataType === 'string' ? maxLength : null,
    choices,
    traits: [...writtenTraits(traits, name).asRead, ...labelTrait(labels)],
  })
  if (dataType !== 'string' || type.format === 'guid' || !areNormalized(choices)) delete read.choices
  return read
}

function areNormalized(choices: readonly string[]): boolean {
  return new Set(choices).size === choices.length && choices.every(choice => choice !== '' && choice === choice.trim())
}

function relationshipAsRead(name: string, relationship: EntityAttribute, target: WrittenTarget): EntityAttribute {
  const { description, foreignKeyPurpose, nullable, traits, foreignKeyDataType } = relationship
  const { entity, place } = target.entity
  return newEntityAttribute({
    associatedEntity: { id: entity.id, name: place.name, path: objectPath(place) },
    associatedEntityTypeAttribute: target.attribute.name,
    description,
    foreignKeyTypeAttribute: name,
    foreignKeyPurpose,
    foreignKeyDataType,
    nullable,
    traits: writtenTraits(traits, name).asRead,
    position: 0,
  })
}

function relationshipFieldsOf(relationship: EntityAttribute, context: ReferenceTargets) {
  const { uid: _uid, position: _position, associatedEntityTypeAttributeUid: _pinned, ...fields } = relationship
  return {
    ...fields,
    associatedEntity: referenceTo(relationship.associatedEntity, context),
    alternativeTargets: relationship.alternativeTargets.map(({ entity, attribute }) => ({
      entity: referenceTo(entity, context),
      attribute,
    })),
  }
}

function referenceTo(reference: EntityReference, { documents, external }: ReferenceTargets): SidecarReference {
  const inside = documents.get(reference.id)
  if (inside) return objectPath(inside.place)
  const { uid, name, path } = external.get(reference.id) ?? reference
  return { ...(uid === undefined ? {} : { uid }), name, path }
}

function differing<T extends object>(actual: T, plain: Partial<T>): Partial<T> {
  const differs = ([key, value]: [string, unknown]) => !isSame(value, Reflect.get(plain, key))
  const fields: Partial<T> = { ...actual }
  for (const entry of Object.entries(actual)) if (!differs(entry)) Reflect.deleteProperty(fields, entry[0])
  return fields
}

function isSame(one: unknown, other: unknown): boolean {
  return other !== undefined && canonicalJson(one) === canonicalJson(other)
}
