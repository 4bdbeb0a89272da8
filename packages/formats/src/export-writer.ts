import type { ResolvedModel } from '@cadmus/model/resolved-model'
import type { Configuration } from '@cadmus/model/configuration'
import type { ExportId, OptionsOf } from '@cadmus/model/formats'

/** A manifest without validation errors, as input of an export. */
export type ExportModel = {
  resolvedModel: ResolvedModel
  /** Configuration of the root manifest, if one was saved. */
  configuration?: Configuration | undefined
  history?: ModelHistory
}

export type ModelHistory = {
  /** Version numbers of manifests and entities, by id. */
  versions?: { manifests: ReadonlyMap<number, string>; entities: ReadonlyMap<number, string> }
  /** Ids of manifests with a configuration. */
  configured?: ReadonlySet<number>
  /** Ids of manifests and entities with earlier versions, which are not exported. */
  earlier?: ReadonlySet<number>
}

export type Export = {
  /** Texts by path. Equal models give equal texts. */
  files: ReadonlyMap<string, string>
  /** Number of adaptations and omissions. */
  notes: number
  /** Suffix of the zip's name. */
  suffix: string
  /** Text for a preview, which ends with a line for each note. */
  preview(): string
}

/** The writer of the export format with this id in `model/export-formats.ts`. */
export type ExportWriter<Id extends ExportId> = {
  needsHistory?: true
  write(model: ExportModel, options: OptionsOf<Id>): Export
}
