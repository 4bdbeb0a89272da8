import { databaseTypes, databaseTypeTable } from '@cadmus/model/database-types'
import { databases } from './databases.ts'
import { newNameGiver } from './names.ts'

/** The name that a column has in each database; `columns`: the names of the table's columns in their order. */
export function columnNames(columns: readonly string[], column: string): { database: string; name: string }[] {
  return databaseTypes.map(type => {
    const giver = newNameGiver(databases[type].export.names)
    const given = new Map(columns.map(name => [name, giver.give(name, 'column')]))
    return { database: databaseTypeTable[type].label, name: given.get(column) ?? column }
  })
}
