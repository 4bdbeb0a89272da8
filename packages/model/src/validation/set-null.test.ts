import { expect, it } from 'vitest'
import { aResolvedModel, anEntity, aRelationship } from '../testing/builders.ts'
import { entityFindings } from '../testing/findings.ts'
import { setNullRequired } from './set-null.ts'

it('Warnings: setNull on a required foreign key', () => {
  const country = anEntity({ name: 'Country' })
  const link = (name: string, fields: Parameters<typeof aRelationship>[1]) =>
    aRelationship(country, { foreignKeyTypeAttribute: name, ...fields })
  const order = anEntity({
    name: 'Order',
    entityAttributes: [
      link('from', { onDelete: 'setNull', nullable: false }),
      link('to', { onDelete: 'setNull' }),
      link('via', { onDelete: 'cascade', nullable: false }),
    ],
  })
  expect(entityFindings(setNullRequired, aResolvedModel([order, country]))).toEqual([
    [
      'warning',
      'setNullRequired',
      'from is required, so deleting its target cannot clear it: the deletion is refused.',
      'Shop/Order/from',
    ],
  ])
})
