import type { DatabaseType } from '@cadmus/model/database-types'
import {
  hasOption,
  hasValue,
  type SqlExport,
  type SqlExportName,
  sqlExportNames,
  sqlExportOption,
} from '@cadmus/model/sql-export'

// For tests only.

const typed: Readonly<Partial<Record<SqlExportName, readonly string[]>>> = {
  schema: ['shop'],
  tablePrefix: ['app_'],
  text: ['1', '255', '100000'],
}

/** Each value of each option that scripts for the database have, alone and other than the default. */
export function singleOptions(
  database: DatabaseType,
): readonly (readonly [name: string, options: Partial<SqlExport>])[] {
  return sqlExportNames
    .filter(name => hasOption(name, database))
    .flatMap(name => {
      const option = sqlExportOption(name)
      const values = option.kind === 'choice' ? option.values.slice(1) : (typed[name] ?? [])
      return values
        .filter(value => hasValue(name, value, database))
        .map(value => [`${name} ${value}`, { [name]: value }] as const)
    })
}
