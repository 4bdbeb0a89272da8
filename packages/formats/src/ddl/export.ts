import { databaseScript } from '@cadmus/sql/script'
import { type ExportWriter, fileStem } from '../export-writer.ts'

export const schemaWriter: ExportWriter<'schema'> = {
  write({ resolvedModel }, { databaseType, applyAutoIncrement }) {
    const { sql, notes } = databaseScript(resolvedModel, databaseType, { applyAutoIncrement })
    const files = new Map([[`${fileStem(resolvedModel.root.name, 'manifest')}.sql`, sql]])
    return { files, notes: notes.length, suffix: databaseType, preview: () => sql }
  },
}
