import type { ResolvedModel } from '@cadmus/model/resolved-model'
import type { EntityNode } from '@cadmus/model/entity'
import { isEqual } from '@cadmus/model/equal'
import { sidecarNames, type Field } from '@cadmus/model/fields/field'
import { relationshipFields } from '@cadmus/model/fields/relationship'
import { typeAttributeFields } from '@cadmus/model/fields/type-attribute'
import { ancestorsOf } from '@cadmus/model/inherit'
import type { ManifestNode } from '@cadmus/model/manifest'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { quoted } from '../import-error.ts'
import type { Layout } from './layout.ts'
import { isWritable } from './write-traits.ts'
import { traitName } from './traits.ts'
import type { WrittenAttribute } from './written-entity.ts'
import type { WrittenDocument } from './written-model.ts'
import { typeAsRead } from './written-type.ts'

/**
 * A model property that the exported folder lacks. `path` is the place in the folder. `isLost`: not even the sidecar
 * keeps it for an import.
 */
export type CdmNote = { path: string; message: string; isLost: boolean }

type NoteContext = { configured?: ReadonlySet<number>; earlier?: ReadonlySet<number> }
type Documents = ReadonlyMap<number, WrittenDocument>

const earlierVersions = 'A CDM folder cannot hold its earlier versions.'

/** Notes on each manifest, then on each entity, in folder order. */
export function notesOf(
  resolvedModel: ResolvedModel,
  documents: Documents,
  layout: Layout,
  context: NoteContext,
): CdmNote[] {
  const manifests = resolvedModel.manifests.flatMap(manifest => manifestNotes(manifest, layout, context))
  const entities = [...documents.values()].flatMap(document => entityNotes(document, resolvedModel, documents, context))
  return [...manifests, ...entities]
}

function manifestNotes(manifest: ManifestNode, { manifests }: Layout, { configured, earlier }: NoteContext): CdmNote[] {
  const place = manifests.get(manifest.id)
  if (!place) return []
  const note = noter(place.path)
  return [
    ...(place.name === manifest.name ? [] : [note(renamed(manifest.name, place.name))]),
    ...(configured?.has(manifest.id) ? [note('A CDM folder cannot hold its configuration.', true)] : []),
    ...(earlier?.has(manifest.id) ? [note(earlierVersions, true)] : []),
  ]
}

function entityNotes(
  document: WrittenDocument,
  resolvedModel: ResolvedModel,
  documents: Documents,
  { earlier }: NoteContext,
): CdmNote[] {
  const { entity, place } = document
  const path = `${place.path}/${place.name}`
  const note = noter(path)
  const scopes = Object.values(entity.operationScopes).some(list => list.length > 0)
  const kinds = unpreserved(document)
  return [
    ...(place.name === entity.name ? [] : [note(renamed(entity.name, place.name))]),
    ...(entity.type === 'EXCLUSIVE' ? [] : [note(`A CDM folder cannot hold its type ${entity.type}.`, true)]),
    ...(scopes ? [note('A CDM folder cannot hold the scopes of its operations.', true)] : []),
    ...(earlier?.has(entity.id) ? [note(earlierVersions, true)] : []),
    ...parentNotes(document, resolvedModel, documents, note),
    ...document.own.flatMap(attribute => attributeNotes(attribute, document, noter(`${path}/${attribute.name}`))),
    ...(kinds.length > 0 ? [note(`CDM does not support ${kinds.join(', ')}.`)] : []),
  ]
}

function parentNotes(
  { entity, parent }: WrittenDocument,
  resolvedModel: ResolvedModel,
  documents: Documents,
  note: ReturnType<typeof noter>,
): CdmNote[] {
  if (parent || !entity.extendsEntity) return []
  const { name } = entity.extendsEntity
  if (documents.has(entity.extendsEntity.id))
    return [
      note(
        `Its document cannot preserve what it inherits from ${quoted(name)}: it has no parent and contains all attributes.`,
      ),
    ]
  const hasParent = ancestorsOf(entity, id => resolvedModel.byId.get(id)).length > 0
  const holds = hasParent ? 'has no parent and contains all attributes' : 'has no parent'
  return [note(`It extends ${quoted(name)}, which is not in the folder: its document ${holds}.`, true)]
}

function attributeNotes(
  { name, of }: WrittenAttribute,
  document: WrittenDocument,
  note: ReturnType<typeof noter>,
): CdmNote[] {
  const renaming = name === of.name ? [] : [note(renamed(of.name, name))]
  if (of.kind === 'type') return renaming
  const { associatedEntity, alternativeTargets } = of.relationship
  const target = quoted(associatedEntity.name)
  const isWritten = document.targets.has(name)
  return [
    ...renaming,
    ...(isWritten
      ? []
      : [
          note(
            `The target ${target} of its relationship is not in the folder, or its name is ambiguous there: it is a plain attribute.`,
          ),
        ]),
    ...(alternativeTargets.length > 0
      ? [
          note(
            `It may refer to ${alternativeTargets.length + 1} entities: its document names ${isWritten ? target : 'none'}.`,
          ),
        ]
      : []),
  ]
}

const refinements: Partial<Record<keyof TypeAttribute, (attribute: TypeAttribute) => boolean>> = {
  format: attribute => attribute.format !== null && !isPreserved(attribute, 'dataType', 'format'),
  precision: attribute => !isPreserved(attribute, 'precision', 'scale'),
  scale: attribute => !isPreserved(attribute, 'precision', 'scale'),
}

/** The parts of the items that CDM does not support. `special`: tests of values that replace the comparison with the default. */
function unsupported<T extends object>(
  fields: { readonly [name in keyof T]: Field<T> },
  names: readonly (keyof T)[],
  items: readonly T[],
  special: Partial<Record<keyof T, (item: T) => boolean>> = {},
): string[] {
  return names.flatMap(name => {
    const { carried, default: fresh } = fields[name]
    const kind = carried.cdm === 'document' ? null : carried.cdm.sidecar
    const isLost = special[name] ?? ((item: T) => !isEqual(item[name], fresh))
    return kind !== null && items.some(isLost) ? [kind] : []
  })
}

function isPreserved(attribute: TypeAttribute, ...fields: (keyof ReturnType<typeof typeAsRead>)[]): boolean {
  const read = typeAsRead(attribute)
  return fields.every(field => read[field] === attribute[field])
}

/** Attribute properties that the document cannot contain, each kind once. */
function unpreserved({ entity }: WrittenDocument): string[] {
  const { typeAttributes, entityAttributes } = entity
  return [
    ...new Set([
      ...unsupported(
        typeAttributeFields,
        ['format', ...sidecarNames(typeAttributeFields)],
        typeAttributes,
        refinements,
      ),
      ...unsupported(relationshipFields, sidecarNames(relationshipFields), entityAttributes),
    ]),
    ...(entity.groups.length > 0 ? ['groups of attributes'] : []),
    ...(entity.checks.length > 0 ? ['checks'] : []),
    ...(hasUnwrittenTraits(entity) ? ['traits that are not standard or have arguments'] : []),
  ]
}

function hasUnwrittenTraits({ typeAttributes, entityAttributes, traits }: EntityNode): boolean {
  const all = [traits, ...typeAttributes.map(one => one.traits), ...entityAttributes.map(one => one.traits)]
  return all.flat().some(trait => !isWritable(trait) && !writtenAsProperty.has(traitName(trait) ?? ''))
}

const writtenAsProperty = new Set(['is.localized.displayedAs', 'is.CDM.entityVersion', 'does.haveDefault'])

function renamed(name: string, written: string): string {
  return `The name ${quoted(name)} is invalid in a CDM folder: there it is ${quoted(written)}.`
}

function noter(path: string) {
  return (message: string, isLost = false): CdmNote => ({ path, message, isLost })
}
