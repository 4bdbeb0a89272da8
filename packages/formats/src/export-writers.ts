import type { ExportId } from '@cadmus/model/export-formats'
import { cdmWriter } from './cdm/write.ts'
import { dataModelWriter } from './data-model/write.ts'
import { dbmlWriter } from './dbml/export.ts'
import { schemaWriter } from './ddl/export.ts'
import type { ExportWriter } from './export-writer.ts'

/** The writer of each export format. */
export const exportWriters: { readonly [Id in ExportId]: ExportWriter<Id> } = {
  schema: schemaWriter,
  cdm: cdmWriter,
  model: dataModelWriter,
  dbml: dbmlWriter,
}
