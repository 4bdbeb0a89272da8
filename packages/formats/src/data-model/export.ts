import type { ExportWriter } from '../export-writer.ts'
import { noteComments } from '../note-comments.ts'
import { writeDataModel, type DataModelNote } from './write.ts'

/** Adds joins if the manifest's configuration has them. */
export const dataModelWriter: ExportWriter<'model'> = {
  write({ resolvedModel, configuration }) {
    const applyJoin = configuration?.configurationBuild.sqlConfiguration.applyJoin ?? false
    const { files, notes } = writeDataModel(resolvedModel, { applyJoin })
    return { files, notes: notes.length, suffix: 'model', preview: () => previewOf(files, notes) }
  },
}

/** Joins the files into one text, followed by a line per note. */
function previewOf(files: ReadonlyMap<string, string>, notes: readonly DataModelNote[]): string {
  return [...[...files].map(([path, text]) => `// ${path}\n${text}`), noteComments(notes)].join('\n')
}
