import { evaluated } from '@cadmus/model/conditions/evaluate'
import { conditionText } from '@cadmus/model/conditions/text'
import type { Typed } from '@cadmus/model/conditions/types'
import { newUid } from '@cadmus/model/uid'
import { arbitraryCondition, conditionAttributes, conditionValues } from '@cadmus/model/testing/arbitrary-conditions'
import { aKey, anEntity, aResolvedModel } from '@cadmus/model/testing/builders'
import { type Random, seededRandom } from '@cadmus/model/testing/seeded-random'
import { isFault, type Literal, readLiteral } from '@cadmus/model/values/literal'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { describe, expect, it } from 'vitest'
import { adaptSchema } from './adapt-schema.ts'
import { compileSchema } from './compiler.ts'
import { conditionSql, queriedCondition } from './condition-sql.ts'
import { databases } from './databases.ts'
import { tablesOf } from './tables.ts'
import { runnerEngines } from './testing/engine-runners.ts'
import type { CheckedColumn } from './tree.ts'

const count = proofCount('conditions', 60, 5000)
const rowCount = 12
/** Conditions of a table. */
const batchSize = 30

describe(`${count} generated conditions`, () => {
  for (const [name, engine] of Object.entries(runnerEngines)) {
    const { present, advice } = engine.availability
    it.skipIf(!present)(`are true, false or unknown in checks of ${name} as in the evaluator ${advice}`, async () => {
      const start = performance.now()
      const server = await engine.start()
      const { dialect, queries } = databases[engine.dialect].run
      const random = seededRandom(proofSeed())
      let compared = 0
      let expressible = 0
      try {
        for (let first = 0; first < count; first += batchSize) {
          const runner = await server.open(queries.session)
          const checks = Array.from({ length: Math.min(batchSize, count - first) }, () => ({
            uid: newUid(),
            name: '',
            message: '',
            condition: arbitraryCondition(random),
          }))
          const columns = [aKey({ name: 'id' }), ...conditionAttributes]
          const rows = anEntity({ name: 'Values', typeAttributes: columns })
          const checked = anEntity({ name: 'Checked', typeAttributes: columns, checks })
          const { schema } = tablesOf(aResolvedModel([rows, checked]), { applyAutoIncrement: false })
          const adapted = adaptSchema(schema, dialect).schema
          // The database accepts the checks.
          const { preamble, tables } = compileSchema(adapted, dialect)
          await runner.make([...preamble, ...tables])
          // Some databases read their own text of the checks again when a table changes.
          await runner.make([`ALTER TABLE ${dialect.quote('Checked')} ADD COLUMN ${dialect.quote('later')} INTEGER`])
          const records = Array.from({ length: rowCount }, () => recordOf(random))
          const [table] = adapted.tables
          if (!table) throw new Error('There is a table.')
          for (const [id, record] of records.entries()) {
            const values = table.columns.map(({ name: column, type }) => {
              const literal = column === 'id' ? ({ kind: 'number', value: String(id) } as const) : record.get(column)
              return literal ? dialect.defaultValue(literal, type) : 'NULL'
            })
            const names = table.columns.map(column => dialect.quote(column.name)).join(', ')
            await runner.make([`INSERT INTO ${dialect.quote('Values')} (${names}) VALUES (${values.join(', ')})`])
          }
          for (const { condition } of schema.tables[1]?.conditions ?? []) {
            const own = adaptedTypes(condition, adapted.tables[1]?.columns ?? [])
            const quoted = ({ name: column }: CheckedColumn) => dialect.quote(column)
            const sql = queriedCondition(own, dialect.condition, quoted)
            compared += 1
            if (sql === null) continue
            if (conditionSql(own, dialect.condition, quoted) !== null) expressible += 1
            const text = `SELECT CASE WHEN ${sql} THEN 1 WHEN NOT (${sql}) THEN 0 ELSE 2 END FROM ${dialect.quote('Values')} ORDER BY ${dialect.quote('id')}`
            const answer = await runner.run({ text, parameters: [], answers: 'rows' }).catch((error: unknown) => {
              throw new Error(sql, { cause: error })
            })
            const expected = records.map(record => evaluated(condition, column => record.get(column.name) ?? null))
            expect([sql, answer.map(([value]) => Number(value))]).toEqual([
              sql,
              expected.map(truth => (truth === null ? 2 : Number(truth))),
            ])
          }
          await runner.close()
        }
      } finally {
        await server.stop()
      }
      expect(compared).toBe(count)
      expect(expressible).toBeGreaterThan(count * (name === 'SQLite' ? 0.3 : 0.95))
      recordProof({
        name: `Generated conditions mean the same in checks of ${name} and in an instance`,
        counts: { conditions: expressible, rows: expressible * rowCount },
        durationMs: performance.now() - start,
      })
    })
  }
})

function adaptedTypes(
  condition: Typed<CheckedColumn>,
  columns: readonly { name: string; type: CheckedColumn['columnType'] }[],
): Typed<CheckedColumn> {
  if (condition.kind === 'value') return condition
  if (condition.kind === 'call')
    return { ...condition, operands: condition.operands.map(operand => adaptedTypes(operand, columns)) }
  const type = columns.find(({ name }) => name === condition.column.name)?.type ?? condition.column.columnType
  return { ...condition, column: { ...condition.column, columnType: type } }
}

function recordOf(random: Random): ReadonlyMap<string, Literal> {
  const values = new Map<string, Literal>()
  for (const attribute of conditionAttributes) {
    if (attribute.nullable && random.chance(0.25)) continue
    const choices: readonly string[] = conditionValues[attribute.name as keyof typeof conditionValues]
    const literal = readLiteral(random.pick(choices), attribute)
    if (isFault(literal)) throw new Error(`${attribute.name}: ${literal.fault}`)
    values.set(attribute.name, literal)
  }
  return values
}

it('conditions are printed and read back', () => {
  const random = seededRandom(proofSeed())
  for (let at = 0; at < count; at += 1) expect(conditionText(arbitraryCondition(random))).not.toBe('')
})
