import { attributesIn } from '@cadmus/model/conditions/condition'
import { type ConditionColumn, typedCondition, valueTypeOf } from '@cadmus/model/conditions/types'
import { limits } from '@cadmus/model/limits'
import { foldName } from '@cadmus/model/paths'
import { automaticCheckName } from '../row-checks.ts'
import { conditionOf } from './conditions.ts'
import type { RawCheck } from './read-schema.ts'
import type { SqlCheck, SqlColumn } from './sql-model.ts'

type Read = { checks: SqlCheck[]; taken: RawCheck[]; ignored: RawCheck[] }

/** The checks that the language of conditions can say of these columns. */
export function tableChecks(parts: readonly RawCheck[], table: string, columns: readonly SqlColumn[]): Read {
  const byName = new Map(columns.map(column => [column.name, column]))
  const names = new Set<string>()
  const read: Read = { checks: [], taken: [], ignored: [] }
  for (const part of parts) {
    const { expression, stated, line, named } = part
    const condition = expression && conditionOf(expression, name => byName.get(named.get(name)?.name ?? ''))
    const typed = condition && typedCondition(condition, ({ name }) => typeOfColumn(byName.get(name)))
    if (!condition || !typed?.typed || read.checks.length >= limits.checks.max) {
      read.ignored.push(part)
      continue
    }
    const isUnfit = stated.length > limits.checks.name || /\p{Cc}/u.test(stated) || names.has(foldName(stated))
    const automatic = automaticCheckName(table, attributesIn(condition))
    const name = isUnfit || foldName(stated) === foldName(automatic) ? '' : stated
    names.add(foldName(stated))
    read.checks.push({ name, line, condition })
    read.taken.push(part)
  }
  return read
}

function typeOfColumn(column: SqlColumn | undefined): ConditionColumn | undefined {
  return column && { type: valueTypeOf(column), nullable: column.nullable }
}
