import type { Configuration } from '@cadmus/model/configuration'
import type { ExportId, OptionsOf } from '@cadmus/model/export-formats'
import type { Problem } from '@cadmus/model/problem'
import type { ResolvedModel } from '@cadmus/model/resolved-model'

/** A manifest without validation errors, as input of an export. */
type ExportModel = {
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

type Export = {
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

/** A comment line for each note, with the place below the manifest. */
export function noteComments(notes: readonly Problem[]): string {
  const lines = notes.map(({ message, path }) => {
    const steps = path.filter(step => step.kind !== 'manifest').map(({ name }) => name.slice(0, 60))
    return `// ${[...(steps.length === 0 ? [] : [steps.join('.')]), message].join(': ').replaceAll(/\s+/g, ' ')}\n`
  })
  return lines.join('')
}

/** Converts a name to a file name that is valid on every file system. */
export function fileStem(name: string, fallback: string): string {
  const stem = name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, 120)
  return /[A-Za-z0-9]/.test(stem) ? stem : fallback
}
