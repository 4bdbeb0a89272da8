import type { DatabaseType } from '@cadmus/model/database-types'
import { databases } from '../databases.ts'
import { hashOf } from '../names.ts'
import { remark } from '../script.ts'
import type { ScriptPiece } from './frame.ts'
import { frames } from './frames.ts'
import type { MigrationPlan } from './plan.ts'

/** The script of a migration for a person, from the title on; '' if nothing changes. */
export function migrationScript(plan: MigrationPlan, database: DatabaseType, title: readonly string[]): string {
  const pieces = migrationPieces(plan, database)
  if (pieces.length === 0) return ''
  const head = [...title, ...adviceLines(frames[database].advice)].map(line => `-- ${remark(line)}\n`).join('')
  const body = pieces.map(({ sql, remark: line, isBlock }) => {
    const above = line === undefined ? '' : `\n-- ${remark(line)}\n`
    return `${above}${sql}${isBlock ? '\n/\n' : ';\n'}`
  })
  return `${head}\n${body.join('')}`
}

function adviceLines(advice: string): string[] {
  return advice.split('\n')
}

/**
 * The statements alone, without semicolons, for a person who reads or runs them once: without a journal, and with tests only where a
 * transaction holds all of it.
 */
export function migrationStatements(plan: MigrationPlan, database: DatabaseType): string[] {
  const { actions, session } = plan
  const pieces = frames[database].isTransaction
    ? migrationPieces(plan, database)
    : [...(actions.length === 0 ? [] : session), ...actions.map(({ sql }) => sql)].map(sql => ({ sql }))
  return pieces.map(({ sql }) => sql)
}

/** The statements in their order. */
export function migrationPieces(plan: MigrationPlan, database: DatabaseType): ScriptPiece[] {
  const { actions, steps, session } = plan
  if (actions.length === 0) return []
  const frame = frames[database]
  const tests = steps.filter(({ grade, question }) => grade === 'mayFail' && question !== null)
  const hash = hashOf([...tests.map(({ question }) => question), ...actions.map(({ sql }) => sql)].join(';'))
  const context = { dialect: databases[database].export, hash }
  let entity = ''
  return [
    ...session.map(sql => ({ sql })),
    ...frame.begin(context),
    ...tests.flatMap(({ text, question }, at) =>
      headed(text, frame.test(at + 1, remark(text), question ?? '', context)),
    ),
    ...actions.flatMap((action, at) => {
      const line = action.entity === entity ? undefined : action.entity
      entity = action.entity
      const pieces = frame.step(tests.length + at + 1, action, context)
      return line === undefined ? pieces : headed(line, pieces)
    }),
    ...frame.end(context),
  ]
}

function headed(line: string, [first, ...rest]: readonly ScriptPiece[]): ScriptPiece[] {
  return first === undefined ? [] : [{ ...first, remark: first.remark ?? line }, ...rest]
}
