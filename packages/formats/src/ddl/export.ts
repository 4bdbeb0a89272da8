import { databaseScript } from '@cadmus/sql/script'
import { type ExportWriter, fileStem } from '../export-writer.ts'

export const schemaWriter: ExportWriter<'schema'> = {
  write({ resolvedModel, configuration }, { databaseType, applyAutoIncrement, sqlExport: requested }) {
    const sqlExport = { ...configuration?.configurationBuild.sqlExport, ...requested }
    const { scripts, notes } = databaseScript(resolvedModel, databaseType, { applyAutoIncrement, sqlExport })
    const digits = Math.max(3, String(scripts.length).length)
    const files = new Map(
      scripts.map(({ name, sql }, at) => {
        const number = name === '' ? '' : `${String(at + 1).padStart(digits, '0')}_`
        return [
          `${number}${fileStem(name === '' ? resolvedModel.root.name : name, name === '' ? 'manifest' : 'table')}.sql`,
          sql,
        ]
      }),
    )
    const texts = [...files].map(([file, sql]) => (files.size === 1 ? sql : `-- ${file}\n${sql}`))
    return { files, notes: notes.length, suffix: databaseType, preview: () => texts.join('\n') }
  },
}
