import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
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
}

export type ImportedManifest = {
  /** Path of the manifest's file in the folder; sub-manifests are referenced by it. */
  path: string
  name: string
  description: string
  entities: string[]
  subManifests: string[]
  importsPath: string[]
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
  /** Own attributes and relationships; both lists share one `position` sequence. */
  typeAttributes: TypeAttribute[]
  entityAttributes: EntityAttribute[]
  /** Null if the file contains no uid; the store then creates one. */
  uid: string | null
  copiedFrom: string | null
  /** Null if the file states no version. */
  version: string | null
}
