import type { DatabaseType } from '@cadmus/model/database-types'
import type { AppliedStep } from '@cadmus/model/data-steps'
import { changesOf, type SchemaChange } from '../alter-changes.ts'
import { isConvertible } from '../alter-conversions.ts'
import { pairsOf, separated } from '../alter-pairs.ts'
import { refusalsOf, type SchemaRefusal } from '../alter-refusals.ts'
import { withDataSteps } from '../data-steps.ts'
import { databases } from '../databases.ts'
import type { Schema } from '../tree.ts'
import { planOf } from './plan.ts'
import { migrationStatements } from './script.ts'

/** The difference of two adapted schemas of one package, for a person. */
export type SchemaDifference = {
  /** Empty if the tables are the same. */
  readonly changes: readonly SchemaChange[]
  /** Reasons why existing records may prevent it. */
  readonly refusals: readonly SchemaRefusal[]
  /** Without semicolons, where the database can in one transaction; empty if the tables are the same. */
  readonly statements: readonly string[]
}

/** Columns to whose type no value can be converted are made anew, as an instance does. */
export function schemaDifference(
  before: Schema,
  after: Schema,
  database: DatabaseType,
  dataSteps: readonly AppliedStep[] = [],
): SchemaDifference {
  const { dialect } = databases[database].run
  const { pairs } = withDataSteps(pairsOf(before, after), dataSteps, dialect)
  const apart = separated(pairs, pair => !isConvertible(pair))
  const plan = planOf({ before, after, pairs: apart }, database, dialect)
  return {
    changes: changesOf(pairs, dialect),
    refusals: refusalsOf(pairs, dialect),
    statements: migrationStatements(plan, database),
  }
}
