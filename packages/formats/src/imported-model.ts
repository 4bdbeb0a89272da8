import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import type { ReportLine } from './cdm/report.ts'

/**
 * What a file brings, in the model's words, before it has a place in a store. Plain data: it can be sent from a worker. Entities
 * are named by their corpus paths, which is what `path` holds in a reference; its `id` is -1.
 */
export type ImportedModel = {
  name: string
  /** The root first, each before those that only it lists; a manifest that several list is here once. */
  manifests: ImportedManifest[]
  entities: ImportedEntity[]
  report: ReportLine[]
}

export type ImportedManifest = {
  /** The manifest's file in the folder; sub-manifests are named by it. */
  path: string
  name: string
  description: string
  /** Corpus paths of its entities, in order. */
  entities: string[]
  subManifests: string[]
  importsPath: string[]
  /** Null where the file does not say which manifest this is; then the store makes one. */
  uid: string | null
  /** Null where the file does not say which version this is. */
  version: string | null
}

export type ImportedEntity = {
  name: string
  corpusPath: string
  description: string
  /** Corpus path of the parent, which is an imported entity too. */
  extendsEntity: string | null
  referenceImportPaths: string[]
  traits: unknown[]
  /** Its own attributes and relationships; they share `position`. */
  typeAttributes: TypeAttribute[]
  entityAttributes: EntityAttribute[]
  /** Null where the file does not say which entity this is; then the store makes one. */
  uid: string | null
  copiedFrom: string | null
  /** Null where the file does not say which version this is. */
  version: string | null
}
