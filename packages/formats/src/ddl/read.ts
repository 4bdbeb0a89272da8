import { foldName } from '@cadmus/model/paths'
import { readScript } from '@cadmus/sql/read/script'
import { SqlError } from '@cadmus/sql/read/sql-error'
import type { SqlModel, SqlTable } from '@cadmus/sql/read/sql-model'
import type { Files } from '../archive.ts'
import { checkSignal, type ReadOptions } from '../cdm/folder.ts'
import { Report } from '../cdm/report.ts'
import { ImportError, quoted } from '../import-error.ts'
import type { ImportedEntity, ImportedManifest, ImportedModel } from '../imported-model.ts'
import { loadScripts, type Scripts } from './scripts.ts'
import { NamedTables } from './named-tables.ts'
import { toEntity } from './to-entity.ts'

/**
 * Reads the SQL scripts of an archive. Tables become entities, foreign keys of one column relationships. Reports, by
 * line, statements that are not supported and information that the model cannot express. Throws ImportError if
 * nothing can be imported.
 */
export function readSqlScripts(files: Files, options: ReadOptions = {}): ImportedModel {
  const scripts = loadScripts(files)
  checkSignal(options)
  options.onProgress?.(0, scripts.paths.length, 'read')
  const { tables, remarks } = parsed(scripts)
  if (tables.length === 0) throw new ImportError('not-sql', noTables(scripts))
  const report = new Report()
  for (const { line, message } of remarks) {
    const place = scripts.placeOf(line)
    report.warning(place.path, place.line === 0 ? message : `Line ${place.line}: ${message}`)
  }
  const named = new NamedTables(tables, table => scripts.placeOf(table.line).path)
  const entities: ImportedEntity[] = []
  for (const [index, table] of tables.entries()) {
    checkSignal(options)
    options.onProgress?.(index, tables.length, 'convert')
    const entity = toEntity(table, named, report)
    if (options.take) options.take(entity)
    else entities.push(entity)
  }
  const manifest = manifestOf(tables, named, scripts.paths)
  return { name: manifest.name, manifests: [manifest], entities, report: report.lines() }
}

function parsed(scripts: Scripts): SqlModel {
  try {
    return readScript(scripts.text)
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
    const { path, line } = scripts.placeOf(error.line)
    throw new ImportError('not-sql', `${quoted(path)}, line ${line}, column ${error.column}: ${error.reason}`)
  }
}

function noTables({ paths }: Scripts): string {
  return paths.length === 1 ? `${quoted(paths[0] ?? '')} creates no table.` : 'The scripts create no table.'
}

/** The manifest's name is the name of the only script, otherwise a default. */
function manifestOf(tables: readonly SqlTable[], named: NamedTables, paths: readonly string[]): ImportedManifest {
  const [path = ''] = paths
  const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '')
  const hasName = paths.length === 1 && foldName(stem) !== ''
  return {
    path,
    name: hasName ? stem : 'default',
    description: '',
    entities: tables.map(table => named.of(table).path),
    subManifests: [],
    importsPath: [],
    uid: null,
    version: null,
  }
}
