import type { ParsedCheck, ParsedColumn } from './parsed-text.ts'

/** The checks that lines of a table have as settings. */
export function checksIn(columns: readonly ParsedColumn[]): ParsedCheck[] {
  const settings = columns.flatMap(column => column.settings.filter(({ key }) => key === 'check'))
  return settings.flatMap(({ value: [condition, ...others] }) => {
    if (condition?.kind !== 'expression' || others.length > 0) return []
    return { text: condition.text, name: '', from: condition.from, to: condition.to }
  })
}
