import type { Operation } from '@cadmus/model/api/operation'
import type { SqlRows } from '../queries/plan.ts'
import { everyRecord } from './shop.ts'

// For tests only: an operation for each kind of statement, with answers that let its plan continue.

type Kind = { operation: Operation; answers(text: string): SqlRows }

const one = (row: readonly unknown[]) => () => [row]

export const statementKinds: Readonly<Record<string, Kind>> = {
  'a page of a filtered, searched and sorted list': {
    operation: {
      kind: 'selectAll',
      entity: 'Order',
      select: { fields: ['number', 'total'], relations: [] },
      filters: [
        { field: 'total', comparison: 'gte', value: 1.5 },
        { field: 'number', comparison: 'like', value: 'A%' },
        { field: 'placed', comparison: 'null', value: false },
      ],
      search: 'x',
      sort: [{ field: 'placed', descending: true }],
      limit: 5,
      offset: 10,
    },
    answers: one([1, 1, [], '1.5']),
  },
  'a record with a page of related records': {
    operation: {
      kind: 'select',
      entity: 'Customer',
      key: [1],
      select: {
        fields: ['name'],
        relations: [
          { name: 'order', select: { fields: ['number'], relations: [] }, listing: { ...everyRecord, limit: 2 } },
        ],
      },
    },
    answers: text => (text.includes('Order') && !text.includes('Customer') ? [] : [['Ann', '1', []]]),
  },
  'the records related to one': {
    operation: {
      kind: 'related',
      entity: 'Customer',
      key: [1],
      relation: 'order',
      select: { fields: ['number'], relations: [] },
      ...everyRecord,
    },
    answers: one([1, 1, []]),
  },
  'an insert with a reference': {
    operation: { kind: 'insert', entity: 'Order', record: { number: 'A-1', total: 1, customerId: 1 } },
    answers: one([1, 1, null, 1]),
  },
  'an insert with a generated key': {
    operation: { kind: 'insert', entity: 'Customer', record: { name: 'Ann' } },
    answers: one([1, 'Ann']),
  },
  'an update': {
    operation: { kind: 'update', entity: 'Order', record: { number: 'A-1', total: null } },
    answers: one([1, 1, null, 1]),
  },
  'a delete': {
    operation: { kind: 'delete', entity: 'Order', key: ['A-1'] },
    answers: one([1]),
  },
  'an aggregate query': {
    operation: {
      kind: 'aggregate',
      entity: 'Order',
      query: 'Turnover',
      filters: [{ field: 'customerId', comparison: 'in', value: [1, 2] }],
    },
    answers: () => [],
  },
}
