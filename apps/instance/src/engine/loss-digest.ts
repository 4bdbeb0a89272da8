import type { SchemaStep } from '@cadmus/model/schema-step'
import { createHash } from 'node:crypto'

/**
 * Identifies a list of data losses, so that a confirmation applies to the list that was shown: 64 hexadecimal digits.
 */
export function lossDigestOf(steps: readonly SchemaStep[]): string {
  const lost = steps.filter(({ grade }) => grade === 'losesData')
  const losses = lost.map(({ entity, attribute, text }) => [entity, attribute, text])
  return createHash('sha256').update(JSON.stringify(losses)).digest('hex')
}
