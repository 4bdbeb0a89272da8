import type { ExportWriter } from '../export-writer.ts'
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
  const texts = [...files].map(([path, text]) => `// ${path}\n${text}`)
  const lines = notes.map(({ message, path }) => {
    const steps = path.filter(step => step.kind !== 'manifest').map(({ name }) => name.slice(0, 60))
    return `// ${[...(steps.length === 0 ? [] : [steps.join('.')]), message].join(': ').replaceAll(/\s+/g, ' ')}\n`
  })
  return [...texts, lines.join('')].join('\n')
}
