import { expect, it } from 'vitest'
import { daysInUse } from './labels.ts'

const day = (date: string, entities: number) => ({ date, entities, manifests: 0, packages: 0 })

it('charts of an organisation begin with the first day that has content', () => {
  const [empty, first, between, last] = [day('01', 0), day('02', 3), day('03', 0), day('04', 2)]
  expect(daysInUse([empty, empty, first, between, last])).toEqual([first, between, last])
  expect(daysInUse([first, last])).toEqual([first, last])
  expect(daysInUse([empty, day('05', 0)])).toEqual([day('05', 0)])
  expect(daysInUse([])).toEqual([])
})
