import { holds } from '@cadmus/testing/holds'
import { expect, it } from 'vitest'
import { dataTypes } from '../type-attribute.ts'
import { isKeyDataType, keyDataType } from './key-data-type.ts'

it('Primary key data type: only integer or string', holds('E5.19'), () => {
  expect(dataTypes.filter(type => keyDataType(type, { isKey: true }) === undefined)).toEqual(['integer', 'string'])
  expect(keyDataType('boolean', { isKey: true })).toBe('The primary key must be an integer or a string.')
  expect(dataTypes.filter(type => keyDataType(type, { isKey: false }) !== undefined)).toEqual([])
  expect(dataTypes.filter(isKeyDataType)).toEqual(['integer', 'string'])
})
