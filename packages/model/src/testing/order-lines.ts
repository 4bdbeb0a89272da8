import type { EntityAttribute } from '../entity-attribute.ts'
import type { EntityNode } from '../entity.ts'
import type { TypeAttribute } from '../type-attribute.ts'
import { aKey, aList, anEntity, aRelationship, aTypeAttribute } from './builders.ts'

// For tests only: records that refer to order lines, whose key is (orderId, lineNo), by both fields.

const order = anEntity({
  name: 'Order',
  typeAttributes: aList(aKey({ name: 'orderId' }), aTypeAttribute({ name: 'title', nullable: true })),
})

const toOrder = aRelationship(order, {
  associatedEntityTypeAttribute: 'orderId',
  foreignKeyTypeAttribute: 'orderId',
  foreignKeyPurpose: 'identifiedBy',
  onDelete: 'cascade',
  position: 1,
})
const lineNo = aKey({ name: 'lineNo' })

/** The model has the number first, the key the order. */
const line = anEntity({
  name: 'OrderLine',
  typeAttributes: [
    { ...lineNo, position: 0 },
    aTypeAttribute({ name: 'sku', nullable: true, maxLength: 20, position: 2 }),
  ],
  entityAttributes: [toOrder],
  groups: [
    {
      uid: 'key of OrderLine',
      kind: 'key',
      name: '',
      members: [
        { uid: toOrder.uid, name: 'orderId', descending: false },
        { uid: lineNo.uid, name: 'lineNo', descending: false },
      ],
    },
  ],
})

/** An entity whose records refer to an order line by `orderId` and `lineNo`. */
function withLine(
  name: string,
  relationship: Partial<EntityAttribute> = {},
  own: Partial<TypeAttribute> = {},
): EntityNode {
  const number = aTypeAttribute({ name: 'lineNo', dataType: 'integer', nullable: true, ...own })
  const toLine = aRelationship(line, {
    associatedEntityTypeAttribute: 'orderId',
    foreignKeyTypeAttribute: 'orderId',
    alsoBy: [{ uid: number.uid, name: number.name, target: 'lineNo', targetUid: lineNo.uid }],
    nullable: true,
    position: 3,
    ...relationship,
  })
  const typeAttributes = aList(aKey(), aTypeAttribute({ name: 'title', nullable: true, maxLength: 20 }), number)
  return anEntity({ name, typeAttributes, entityAttributes: [toLine] })
}

/** Shipments prevent the deletion of their line, labels are deleted with it, complaints are left without one. */
export const orderLines = {
  order,
  line,
  shipment: withLine('Shipment', { onDelete: 'restrict' }),
  label: withLine('Label', { onDelete: 'cascade' }),
  complaint: withLine('Complaint', { onDelete: 'setNull' }),
} as const
