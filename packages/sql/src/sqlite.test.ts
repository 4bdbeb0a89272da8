import { aKey, aList, anEntity, aResolvedModel, aTypeAttribute } from '@cadmus/model/testing/builders'
import { expect, it } from 'vitest'
import { instanceSchemaOf } from './instance-schema.ts'
import { packageOf } from './testing/packages.ts'
import { sqliteRunner } from './testing/sqlite-runner.ts'

it.each([
  [3, ['0', '999', '-999'], ['1000', '-1000', '1.5', "'x'"]],
  [18, ['9'.repeat(18)], [`1${'0'.repeat(18)}`]],
  [
    20,
    ["'0'", `'-${'9'.repeat(20)}'`, "'10'"],
    [`'1${'0'.repeat(20)}'`, "''", "'-'", "'--1'", "'1.0'", "'007'", "'-0'"],
  ],
])('an integer of %i digits is checked by tables of SQLite, whoever writes', async (precision, accepted, refused) => {
  const value = aTypeAttribute({ name: 'value', dataType: 'integer', precision, nullable: true })
  const entity = anEntity({ name: 'Thing', typeAttributes: aList(aKey(), value) })
  const runner = sqliteRunner([])
  await runner.make(instanceSchemaOf(packageOf(aResolvedModel([entity]), 1), 'sqlite').statements)
  const insert = (text: string) => runner.make([`INSERT INTO "Thing" ("value") VALUES (${text})`])
  for (const text of ['NULL', ...accepted]) await insert(text)
  for (const text of refused) await expect(insert(text)).rejects.toThrow(/constraint failed|cannot store/)
  await runner.close()
})
