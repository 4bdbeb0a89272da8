import { databaseTypes } from '@cadmus/model/database-types'
import { aClosure, aKey, aList, anEntity, aTypeAttribute } from '@cadmus/model/testing/builders'
import { expect, it } from 'vitest'
import { databaseScript } from './script.ts'

const length = 100_000
const texts = ['0', ' ', "'", '\\', '\n', '$(', '😀', '\0'].map(word => `${word.repeat(length / word.length)}x`)

it.each(databaseTypes)(
  '%s: names, defaults, choices and descriptions of 100,000 characters are written in time',
  type => {
    const start = performance.now()
    for (const text of texts) {
      const attributes = (['string', 'double', 'object'] as const).map(dataType =>
        aTypeAttribute({ name: `${text}${dataType}`, dataType, defaultValue: text }),
      )
      const decimal = aTypeAttribute({ name: 'decimal', dataType: 'double', format: 'decimal', defaultValue: text })
      const chosen = aTypeAttribute({ name: 'chosen', choices: [text, 'b'] })
      const entity = anEntity({
        name: text,
        description: text,
        typeAttributes: aList(aKey(), ...attributes, decimal, chosen),
      })
      expect(databaseScript(aClosure([entity]), type, { applyAutoIncrement: true }).sql).toContain('CREATE TABLE')
    }
    expect(performance.now() - start).toBeLessThan(10_000)
  },
)
