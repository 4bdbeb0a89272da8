import type { DatabaseType } from '@cadmus/model/database-types'
import { exportFormats } from '@cadmus/model/export-formats'
import { entityIn, type Problem, rowIn } from '@cadmus/model/problem'
import { validate } from '@cadmus/model/validate'
import { namingRules } from '@cadmus/sql/databases'
import type { SqlTable } from '@cadmus/sql/read/sql-model'
import type { ImportedEntity, ImportedModel } from '../imported-model.ts'
import { placedModel } from '../placed-model.ts'

/** For which an imported model is checked besides its own. */
const commonDatabase = 'postgresql'
const [schema] = exportFormats

/** The errors for which schema exports would refuse the model of these tables, and warnings about keys, with their lines. */
export function exportProblems(
  model: ImportedModel,
  tables: readonly SqlTable[],
  database: DatabaseType,
): (Pick<Problem, 'severity' | 'message'> & { line: number; table: SqlTable | undefined })[] {
  const databases = namingRules([...new Set([database, commonDatabase] as const)])
  return validate(placedModel(model), { target: schema.wireName, databases })
    .filter(({ severity, code }) => severity === 'error' || code === 'keyType')
    .map(({ severity, message, path }) => ({ severity, message, ...placeOf(path, model.entities, tables) }))
}

/** The table that a problem is about, and the line of it or its column. Ids of entities are their places in the model. */
function placeOf(path: Problem['path'], entities: readonly ImportedEntity[], tables: readonly SqlTable[]) {
  const index = (entityIn(path)?.id ?? 0) - 1
  const [entity, table] = [entities[index], tables[index]]
  const uid = rowIn(path)?.uid
  const row = [...(entity?.typeAttributes ?? []), ...(entity?.entityAttributes ?? [])].find(one => one.uid === uid)
  const column = row === undefined ? undefined : table?.columns[row.position]
  return { table, line: column?.line ?? table?.line ?? 0 }
}
