import { newEntityAttribute, type EntityAttribute } from '@cadmus/model/entity-attribute'
import { limits } from '@cadmus/model/limits'
import { boundedName } from '@cadmus/model/rules/names'
import { newTypeAttribute, type TypeAttribute } from '@cadmus/model/type-attribute'
import type { SqlColumn, SqlTable } from '@cadmus/sql/read/sql-model'
import type { Place, Report } from '../cdm/report.ts'
import { quoted } from '../import-error.ts'
import type { ImportedEntity } from '../imported-model.ts'
import type { NamedTables } from './named-tables.ts'

/**
 * Converts a table to an entity: columns become attributes, foreign keys relationships, with positions in column
 * order.
 */
export function toEntity(table: SqlTable, named: NamedTables, report: Report): ImportedEntity {
  const { name, path } = named.of(table)
  const place = report.at(path.slice(1))
  if (name !== table.name) place.warning(`Another schema has a table of this name: this one is named ${quoted(name)}.`)
  reportName(name, limits.entityName, place)
  const typeAttributes: TypeAttribute[] = []
  const entityAttributes: EntityAttribute[] = []
  for (const [position, column] of table.columns.entries()) {
    reportName(column.name, limits.attributeName, place)
    const relationship = relationshipOf(column, position, named)
    if (relationship) entityAttributes.push(relationship)
    else typeAttributes.push(typeAttributeOf(column, position))
  }
  return {
    name,
    corpusPath: path,
    description: table.description,
    extendsEntity: null,
    referenceImportPaths: [],
    traits: [],
    typeAttributes,
    entityAttributes,
    uid: null,
    copiedFrom: null,
    version: null,
  }
}

function reportName(name: string, bounds: { min: number; max: number }, place: Place): void {
  const problem = boundedName(name, bounds)
  if (problem) place.warning(`The name ${quoted(name)} is kept as it is, but ${problem}`)
}

function typeAttributeOf(column: SqlColumn, position: number): TypeAttribute {
  const { line: _line, reference: _reference, isKey, ...attribute } = column
  return newTypeAttribute({ ...attribute, position, purpose: isKey ? 'identifiedBy' : 'hasA' })
}

function relationshipOf(column: SqlColumn, position: number, named: NamedTables): EntityAttribute | null {
  const { reference } = column
  if (!reference) return null
  const { name, path } = named.at(reference.table)
  return newEntityAttribute({
    associatedEntity: { id: -1, name, path },
    associatedEntityTypeAttribute: reference.column,
    foreignKeyTypeAttribute: column.name,
    foreignKeyPurpose: column.isKey ? 'identifiedBy' : 'hasA',
    foreignKeyDataType: column.dataType === 'string' ? 'string' : 'integer',
    description: column.description,
    nullable: column.nullable,
    unique: column.unique,
    onDelete: reference.onDelete,
    position,
  })
}
