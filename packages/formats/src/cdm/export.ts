import type { ExportWriter } from '../export-writer.ts'
import { writeCdm } from './write.ts'

/** The preview has the notes only. */
export const cdmWriter: ExportWriter<'cdm'> = {
  needsHistory: true,
  write({ resolvedModel, history }) {
    const { files, notes } = writeCdm(resolvedModel, history)
    const preview = () => notes.map(({ path, message }) => `${path}: ${message}`).join('\n')
    return { files, notes: notes.length, suffix: 'cdm', preview }
  },
}
