import type { ReferentialAction } from '../tree.ts'
import type { Context } from './context.ts'
import type { RawForeignKey } from './read-schema.ts'

/** `REFERENCES table (columns) ON DELETE …`, up to the first word that does not belong to it. */
export function referenceOf(context: Context): Omit<RawForeignKey, 'columns'> {
  const { cursor } = context
  const line = context.lineOf(cursor.peek())
  cursor.expectWord('REFERENCES')
  const table = cursor.qualifiedName()
  const references = cursor.isSign('(') ? columnNames(context) : []
  let onDelete: ReferentialAction = 'noAction'
  for (;;) {
    if (cursor.skipWords('MATCH')) cursor.take()
    else if (cursor.skipWords('ON', 'DELETE')) onDelete = action(context, line)
    else if (cursor.skipWords('ON', 'UPDATE')) {
      const onUpdate = action(context, line)
      if (onUpdate === 'cascade' || onUpdate === 'setNull') {
        context.remark(line, 'ON UPDATE of a foreign key is ignored.')
      }
    } else return { line, table, references, onDelete }
  }
}

/** Names in parentheses. */
export function columnNames({ cursor }: Context): string[] {
  const names: string[] = []
  cursor.expectSign('(')
  do names.push(cursor.name())
  while (cursor.skipSign(','))
  cursor.expectSign(')')
  return names
}

function action(context: Context, line: number): ReferentialAction {
  const { cursor } = context
  if (cursor.skipWords('CASCADE')) return 'cascade'
  if (cursor.skipWords('RESTRICT')) return 'restrict'
  if (cursor.skipWords('SET', 'NULL')) return 'setNull'
  if (cursor.skipWords('NO', 'ACTION')) return 'noAction'
  if (!cursor.skipWords('SET', 'DEFAULT'))
    cursor.fail('CASCADE, RESTRICT, SET NULL, SET DEFAULT or NO ACTION is expected')
  context.remark(line, 'ON DELETE SET DEFAULT is imported as RESTRICT.')
  return 'noAction'
}
