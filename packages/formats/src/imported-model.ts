import type { EntityType } from '@cadmus/model/entity-types'
import { type EntityContent, newEntityContent } from '@cadmus/model/entity'
import type { EntityAttribute, EntityReference } from '@cadmus/model/entity-attribute'
import { columnName, columnsInOrder } from '@cadmus/model/columns'
import type { Group } from '@cadmus/model/group'
import type { Check } from '@cadmus/model/checks'
import { constraintsWithUids } from '@cadmus/model/constraints'
import { withPairUids } from '@cadmus/model/key-pairs'
import type { Enumeration } from '@cadmus/model/enumeration'
import { foldName } from '@cadmus/model/paths'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import type { ScriptDatabase } from '@cadmus/sql/databases'
import type { Omission } from '@cadmus/sql/read/omissions'
import type { ScriptCounts } from '@cadmus/sql/read/sql-model'
import type { ReportLine } from './cdm/report.ts'

/**
 * The contents of an imported file in model terms, before it is stored. Plain data that can be sent between threads.
 * References identify entities by corpus path (`path`) and have `id` -1.
 */
export type ImportedModel = {
  name: string
  /**
   * The root comes first, and each manifest precedes sub-manifests that only it lists. A manifest listed several
   * times occurs once.
   */
  manifests: ImportedManifest[]
  entities: ImportedEntity[]
  report: ReportLine[]
  /** Whether the report has what exports would refuse. */
  isChecked?: boolean
  /** What a script declares, and what became of it. */
  counts?: ScriptCounts
  /** Whose SQL a script is. */
  database?: ScriptDatabase
  /** What a script of this product leaves out by its options. */
  omissions?: readonly Omission[]
}

export type ImportedManifest = {
  /** Path of the manifest's file in the folder; sub-manifests are referenced by it. */
  path: string
  name: string
  description: string
  entities: string[]
  subManifests: string[]
  importsPath: string[]
  /** Without faults (`rules/enumerations`). Attributes of its entities refer to them by uid. */
  enumerations: Enumeration[]
  /** Null if the file contains no uid; the store then creates one. */
  uid: string | null
  /** Null if the file states no version. */
  version: string | null
}

export type ImportedEntity = {
  name: string
  corpusPath: string
  description: string
  /** Corpus path of the parent, which is also imported. */
  extendsEntity: string | null
  referenceImportPaths: string[]
  traits: unknown[]
  groups: Group[]
  checks: Check[]
  /** Own attributes and relationships; both lists share one `position` sequence. */
  typeAttributes: TypeAttribute[]
  entityAttributes: EntityAttribute[]
  /** Null if the file contains no uid; the store then creates one. */
  uid: string | null
  copiedFrom: string | null
  /** Null if the file states no version. */
  version: string | null
}

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
  const uids = new Map(columnsInOrder(entity).map(column => [column.uid, uidOf(columnName(column)) ?? column.uid]))
  const reference = (imported: EntityReference) => referenceOf(imported.path) ?? { ...imported, id: -1 }
  return newEntityContent({
    uid,
    type,
    name: entity.name,
    description: entity.description,
    extendsEntity: entity.extendsEntity === null ? null : (referenceOf(entity.extendsEntity) ?? null),
    referenceImportPaths: entity.referenceImportPaths,
    ...constraintsWithUids(entity, uid => uids.get(uid)),
    traits: entity.traits,
    copiedFrom: entity.copiedFrom,
    typeAttributes: entity.typeAttributes.map(attribute => ({
      ...attribute,
      uid: uids.get(attribute.uid) ?? attribute.uid,
    })),
    entityAttributes: entity.entityAttributes.map((attribute): EntityAttribute => ({
      ...withPairUids(attribute, uid => uids.get(uid)),
      uid: uids.get(attribute.uid) ?? attribute.uid,
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
