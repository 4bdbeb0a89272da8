import { databaseScript } from '@cadmus/sql/script'
import { type ExportWriter, fileStem } from '../export-writer.ts'

export const schemaWriter: ExportWriter<'schema'> = {
  write({ resolvedModel, configuration }, { databaseType, applyAutoIncrement, sqlExport: requested }) {
    const sqlExport = { ...configuration?.configurationBuild.sqlExport, ...requested }
    const { sql, notes } = databaseScript(resolvedModel, databaseType, { applyAutoIncrement, sqlExport })
    const files = new Map([[`${fileStem(resolvedModel.root.name, 'manifest')}.sql`, sql]])
    return { files, notes: notes.length, suffix: databaseType, preview: () => sql }
  },
}
