import { aResolvedModel, aKey, aList, anEntity, aTypeAttribute } from '@cadmus/model/testing/builders'
import { expect, it } from 'vitest'
import { databaseScript } from './script.ts'

it.each([
  [['a', 'b'], `CHECK ([x] IN (N'a', N'b') AND [x] NOT LIKE N'% ')`],
  [['a', 'b '], `CHECK ([x] IN (N'a') AND [x] NOT LIKE N'% ' OR [x] = N'b ' AND DATALENGTH([x]) = 4)`],
  [['b '], `CHECK ([x] = N'b ' AND DATALENGTH([x]) = 4)`],
])('the check of the choices %j distinguishes trailing spaces', (choices, check) => {
  const chosen = aTypeAttribute({ name: 'x', choices })
  const resolvedModel = aResolvedModel([anEntity({ typeAttributes: aList(aKey(), chosen) })])
  expect(databaseScript(resolvedModel, 'mssql', { applyAutoIncrement: true }).sql).toContain(check)
})
