import type { Closure } from '@cadmus/model/closure'
import { databaseStatements } from '@cadmus/sql/script'
import { expect } from 'vitest'
import type { ImportedModel } from '../imported-model.ts'
import { placedModel } from './placed-model.ts'
import { dumped, lostDefaults, spoken } from './spoken-schema.ts'

// For tests only: what a database's own tool says of a schema of ours.

const options = { applyAutoIncrement: true }

/** Expects of what was read of a dump the tables that the closure was written as; all of the dump was understood. */
export function expectSameTables(
  model: ImportedModel,
  closure: Closure,
  type: 'postgresql' | 'mysql',
  about?: string,
): void {
  const { schema } = databaseStatements(placedModel(model), type, options)
  const { schema: written } = databaseStatements(closure, type, options)
  expect({ about, tables: dumped(schema, type) }).toEqual({ about, tables: dumped(written, type) })
  const lost = spoken(written, type).flatMap(table => lostDefaults(table, type))
  const isExpected = (message: string) =>
    message.startsWith('The name ') ||
    lost.some(name =>
      message.endsWith(`The default value of '${name}' is no value of its type or choices: it is left out.`),
    )
  const told = model.report.filter(({ message }) => !isExpected(message))
  expect({ about, told }).toEqual({ about, told: [] })
}
