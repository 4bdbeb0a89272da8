import { databaseTypeTable } from '@cadmus/model/database-types'
import { formatCount } from '@cadmus/model/display'
import { type EntityAttribute, newEntityAttribute } from '@cadmus/model/entity-attribute'
import type { Check } from '@cadmus/model/checks'
import { withAttributes } from '@cadmus/model/conditions/condition'
import { type Column, columnName } from '@cadmus/model/columns'
import { type Enumeration, withValues } from '@cadmus/model/enumeration'
import type { Group } from '@cadmus/model/group'
import { limits } from '@cadmus/model/limits'
import { foldName } from '@cadmus/model/paths'
import { boundedName } from '@cadmus/model/rules/names'
import { newTypeAttribute, type TypeAttribute } from '@cadmus/model/type-attribute'
import { newUid } from '@cadmus/model/uid'
import type { ScriptDatabase } from '@cadmus/sql/databases'
import { omissionsIn } from '@cadmus/sql/read/omissions'
import { type Thing, thingNouns, things } from '@cadmus/model/import-things'
import { readScript } from '@cadmus/sql/read/script'
import type { SqlColumn, SqlModel, SqlTable } from '@cadmus/sql/read/sql-model'
import { SqlError } from '@cadmus/sql/read/token'
import type { Files } from '../archive.ts'
import { bounds } from '../cdm/bounds.ts'
import { checkSignal, type ReadOptions } from '../cdm/folder.ts'
import { Report, type ReportKind } from '../cdm/report.ts'
import { ImportError, quoted } from '../import-error.ts'
import type { ImportedEntity, ImportedManifest, ImportedModel } from '../imported-model.ts'
import { exportProblems } from './export-problems.ts'
import { scriptStem } from './play-order.ts'
import { loadScripts, type Scripts } from './scripts.ts'

/**
 * Reads the SQL scripts of an archive. Tables become entities, foreign keys of one column relationships. Reports, by
 * line, statements that are not supported and information that the model cannot express. Throws ImportError if
 * nothing can be imported.
 */
export function readSqlScripts(files: Files, options: ReadOptions = {}): ImportedModel {
  const scripts = loadScripts(files, options)
  checkSignal(options)
  options.onProgress?.(0, scripts.paths.length, 'read')
  return converted(scripts, options)
}

/** Reads a script as `readSqlScripts` does. `database`: the one whose script it is taken for. */
export function readSqlText(
  text: string,
  options: Pick<ReadOptions, 'database'> = {},
): ImportedModel & { database: ScriptDatabase } {
  return converted(loadScripts(new Map([['pasted.sql', text]]), { isSingle: true }), options)
}

function converted(scripts: Scripts, options: ReadOptions): ImportedModel & { database: ScriptDatabase } {
  const script = parsed(scripts, options)
  const { dialect: database, tables, remarks } = script
  if (tables.length === 0) throw new ImportError('not-sql', noTables(scripts))
  const report = new Report()
  for (const { path, message } of scripts.remarks) report.finding('note', message, { path, line: 0 })
  const find: Finder = (kind, text, line, { name, table } = {}) => {
    const entity = table === undefined ? undefined : named.of(table).path
    report.finding(kind, text, { ...scripts.placeOf(line), name, entity })
  }
  const named = new NamedTables(tables, table => scripts.placeOf(table.line).path)
  for (const { kind, line, message, name, table } of remarks)
    find(kind, message, line, { name, table: table === undefined ? undefined : tables[table] })
  const entities: ImportedEntity[] = []
  const enumerations = script.enumerations.map(enumerationOf)
  const isChecked = tables.reduce((sum, { columns }) => sum + columns.length, 0) <= bounds.checkedColumns
  for (const [index, table] of tables.entries()) {
    checkSignal(options)
    options.onProgress?.(index, tables.length, 'convert')
    const entity = toEntity(table, { named, enumerations }, find)
    options.take?.(entity)
    if (isChecked || !options.take) entities.push(entity)
  }
  const manifest = manifestOf(tables, named, { paths: scripts.paths, enumerations }, options)
  const model: ImportedModel = { name: manifest.name, manifests: [manifest], entities, report: [], isChecked }
  if (!isChecked) report.finding('note', tooLargeToCheck, { path: '', line: 0 })
  else
    for (const { severity, message, line, table, name } of exportProblems(model, tables, database))
      find(severity === 'error' ? 'problem' : 'note', message, line, { table, name })
  reportTotals(report, script)
  const about = { report: report.lines(), counts: script.counts, database, omissions: omissionsIn(scripts.text) }
  return { ...model, entities: options.take ? [] : entities, ...about }
}

function enumerationOf({ values, ...one }: SqlModel['enumerations'][number]): Enumeration {
  return withValues({ ...one, uid: newUid(), values: [] }, values)
}

const tooLargeToCheck = 'The model is too large to be checked for exports. Validate it before an export.'

/** What was read, and what became of it: each thing is imported or listed. */
function reportTotals(report: Report, { tables, counts, dialect }: SqlModel): void {
  const { declared, taken } = counts
  const relationships = taken.foreignKey
  const entities = [countedAs(tables.length, 'entity', 'entities'), counted(taken.column - relationships, 'attribute')]
  const missing = things.flatMap(thing => someOf(declared[thing] - taken[thing], thing))
  const listed = [
    `${formatCount(report.countOf('problem'))} to mend before an export`,
    `${formatCount(report.countOf('lost'))} lost`,
    `${formatCount(report.countOf('changed'))} changed`,
  ]
  for (const fact of [
    `Read as ${databaseTypeTable[dialect].label}.`,
    `Read: ${things.flatMap(thing => someOf(declared[thing], thing)).join(', ')}.`,
    `Imported: ${[...entities, counted(relationships, 'relationship'), ...otherThings.flatMap(thing => someOf(taken[thing], thing))].join(', ')}.`,
    ...(missing.length === 0 ? [] : [`Not imported: ${missing.join(', ')}.`]),
    `Listed below: ${listed.join(', ')}.`,
  ])
    report.finding('read', fact, { path: '', line: 0 })
}

const otherThings = things.filter(thing => thing !== 'table' && thing !== 'column' && thing !== 'foreignKey')

/** Nothing for no things. */
function someOf(count: number, thing: Thing): string[] {
  return count === 0 ? [] : [countedAs(count, ...thingNouns[thing])]
}

function counted(count: number, one: string): string {
  return countedAs(count, one, `${one}s`)
}

function countedAs(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

function parsed(scripts: Scripts, { database }: ReadOptions): SqlModel {
  try {
    return readScript(scripts.text, database)
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
    const { path, line } = scripts.placeOf(error.line)
    throw new ImportError('not-sql', `${quoted(path)}, line ${line}, column ${error.column}: ${error.reason}`)
  }
}

function noTables({ paths }: Scripts): string {
  return paths.length === 1 ? `${quoted(paths[0] ?? '')} creates no table.` : 'The scripts create no table.'
}

/** The manifest's name is the name of the only script of an archive, otherwise a default. */
function manifestOf(
  tables: readonly SqlTable[],
  named: NamedTables,
  { paths, enumerations }: { paths: readonly string[]; enumerations: readonly Enumeration[] },
  { isSingle }: ReadOptions,
): ImportedManifest {
  const [path = ''] = paths
  const stem = scriptStem(path)
  const hasName = paths.length === 1 && !isSingle && foldName(stem) !== ''
  return {
    path,
    name: hasName ? stem : 'default',
    description: '',
    entities: tables.map(table => named.of(table).path),
    subManifests: [],
    importsPath: [],
    enumerations: [...enumerations],
    uid: null,
    version: null,
  }
}

/** `name` and `table`: of the thing that the text is about. */
type Finder = (kind: ReportKind, text: string, line: number, about?: About) => void
type About = { name?: string | undefined; table?: SqlTable | undefined }

/**
 * Converts a table to an entity: columns become attributes, foreign keys relationships, with positions in column
 * order.
 */
function toEntity(
  table: SqlTable,
  { named, enumerations }: { named: NamedTables; enumerations: readonly Enumeration[] },
  find: Finder,
): ImportedEntity {
  const { name, path } = named.of(table)
  if (name !== table.name)
    find(
      'changed',
      `Another schema has a table ${quoted(table.name)}: this one is named ${quoted(name)}.`,
      table.line,
      {
        table,
      },
    )
  reportName(name, limits.entityName, { line: table.line, of: name, table }, find)
  const typeAttributes: TypeAttribute[] = []
  const entityAttributes: EntityAttribute[] = []
  for (const [position, column] of table.columns.entries()) {
    reportName(column.name, limits.attributeName, { line: column.line, of: `${name}.${column.name}`, table }, find)
    const relationship = relationshipOf(column, position, named)
    if (relationship) entityAttributes.push(relationship)
    else typeAttributes.push(typeAttributeOf(column, position, enumerations))
  }
  return {
    name,
    corpusPath: path,
    description: table.description,
    extendsEntity: null,
    referenceImportPaths: [],
    groups: groupsOf(table, [...typeAttributes, ...entityAttributes]),
    checks: checksOf(table, [...typeAttributes, ...entityAttributes]),
    traits: [],
    typeAttributes,
    entityAttributes: withUids(entityAttributes, [...typeAttributes, ...entityAttributes]),
    uid: null,
    copiedFrom: null,
    version: null,
  }
}

/** Further columns of foreign keys are known by name until all columns are there. */
function withUids(relationships: readonly EntityAttribute[], columns: readonly Column[]): EntityAttribute[] {
  const uids = new Map(columns.map(column => [columnName(column), column.uid]))
  return relationships.map(item =>
    item.alsoBy.length === 0
      ? item
      : { ...item, alsoBy: item.alsoBy.map(pair => ({ ...pair, uid: uids.get(pair.name) ?? '' })) },
  )
}

function groupsOf({ groups }: SqlTable, columns: readonly Column[]): Group[] {
  const uids = new Map(columns.map(column => [columnName(column), column.uid]))
  return groups.map(({ kind, name, members }) => ({
    uid: newUid(),
    kind,
    name,
    members: members.map(member => ({ uid: uids.get(member.name) ?? '', ...member })),
  }))
}

function checksOf({ checks }: SqlTable, columns: readonly Column[]): Check[] {
  const uids = new Map(columns.map(column => [columnName(column), column.uid]))
  return checks.map(({ name, condition }) => ({
    uid: newUid(),
    name,
    message: '',
    condition: withAttributes(condition, one => ({ ...one, uid: uids.get(one.name) ?? '' })),
  }))
}

/** `of`: the name with that of its table. */
function reportName(
  name: string,
  length: { min: number; max: number },
  { line, of, table }: { line: number; of: string; table: SqlTable },
  find: Finder,
): void {
  if (boundedName(name, length) !== undefined) find('note', keptName, line, { name: visibleName(of), table })
}

/** One line for all of them: problems of the model say what is wrong with each. */
const keptName = 'A name that breaks the naming rules is kept as it is.'

function visibleName(name: string): string {
  return name.length > 200 ? `${name.slice(0, 199)}…` : name
}

function typeAttributeOf(column: SqlColumn, position: number, enumerations: readonly Enumeration[]): TypeAttribute {
  const { line: _line, reference: _reference, enumeration, isKey, ...attribute } = column
  const { uid, name } = enumerations[enumeration ?? -1] ?? {}
  return newTypeAttribute({
    ...attribute,
    enumeration: uid !== undefined && name !== undefined ? { uid, name } : null,
    position,
    purpose: isKey ? 'identifiedBy' : 'hasA',
  })
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
    foreignKeyDataType: column.dataType === 'object' ? 'string' : column.dataType,
    description: column.description,
    nullable: column.nullable,
    unique: column.unique,
    onDelete: reference.onDelete,
    onUpdate: reference.onUpdate,
    alsoBy: reference.further.map(pair => ({ ...pair, uid: '', targetUid: null })),
    position,
  })
}

type Named = { name: string; path: string }

/** Names the entities of tables: the table name, prefixed with the schema for a later table of the same name. */
class NamedTables {
  readonly #tables: readonly SqlTable[]
  readonly #names = new Map<SqlTable, Named>()

  constructor(tables: readonly SqlTable[], scriptOf: (table: SqlTable) => string) {
    this.#tables = tables
    const names = new Set<string>()
    const free = freePaths()
    for (const table of tables) {
      const isNameUsed = names.has(foldName(table.name)) && table.schema !== ''
      const name = isNameUsed ? `${table.schema}_${table.name}` : table.name
      names.add(foldName(name))
      this.#names.set(table, { name, path: free(`/${scriptOf(table)}/${name}`) })
    }
  }

  of(table: SqlTable): Named {
    const named = this.#names.get(table)
    if (!named) throw new RangeError(`The table '${table.name.slice(0, 120)}' is not defined in the scripts.`)
    return named
  }

  at(index: number): Named {
    const table = this.#tables[index]
    if (!table) throw new RangeError(`There is no table ${index}.`)
    return this.of(table)
  }
}

/** Tables with the same entity name get distinct paths. */
function freePaths(): (preferred: string) => string {
  const used = new Set<string>()
  const numbers = new Map<string, number>()
  return preferred => {
    let number = numbers.get(preferred) ?? 1
    let path = preferred
    for (; used.has(path); path = `${preferred} (${number})`) number += 1
    numbers.set(preferred, number)
    used.add(path)
    return path
  }
}
