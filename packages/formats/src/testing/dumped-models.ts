import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { databaseStatements } from '@cadmus/sql/script'
import { expect } from 'vitest'
import type { ImportedModel } from '../imported-model.ts'
import { placedModel } from '../placed-model.ts'
import { comparableDump, droppedDefaults, comparableTables } from './comparable-schema.ts'

// Test helper: checks dumps of our schemas by a database's own tool.

const options = { applyAutoIncrement: true }

/** Expects a dump to contain the tables of the resolved model and no statements that the reader does not support. */
export function expectSameTables(
  model: ImportedModel,
  resolvedModel: ResolvedModel,
  type: 'postgresql' | 'mysql',
  about?: string,
): void {
  const { schema } = databaseStatements(placedModel(model), type, options)
  const { schema: written } = databaseStatements(resolvedModel, type, options)
  expect({ about, tables: comparableDump(schema, type) }).toEqual({ about, tables: comparableDump(written, type) })
  const dropped = comparableTables(written, type).flatMap(table => droppedDefaults(table, type))
  const isExpected = (message: string) =>
    // A foreign key that is part of a key has the type of its target all the same.
    / is a key of type (NUMERIC|DECIMAL): /.test(message) ||
    dropped.some(name =>
      message.includes(`The default value of '${name}' is no value of its type or choices: it is left out`),
    )
  const unexpected = model.report.filter(({ level, message }) => level === 'warning' && !isExpected(message))
  expect({ about, unexpected }).toEqual({ about, unexpected: [] })
}
