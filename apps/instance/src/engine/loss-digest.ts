import type { SchemaStep } from '@cadmus/model/schema-step'
import { createHash } from 'node:crypto'

/** What tells one list of lost data from another: 64 hexadecimal digits, for whoever agrees to it to say which one was seen. */
export function lossDigestOf(steps: readonly SchemaStep[]): string {
  const lost = steps.filter(({ grade }) => grade === 'losesData')
  const told = lost.map(({ entity, attribute, text }) => [entity, attribute, text])
  return createHash('sha256').update(JSON.stringify(told)).digest('hex')
}
