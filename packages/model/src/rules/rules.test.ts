import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'

it.each(['./', '../validation/'])('every rule and check in %s has a test file', folder => {
  const files = readdirSync(new URL(folder, import.meta.url)).filter(name => name.endsWith('.ts'))
  const sources = files.filter(name => !name.endsWith('.test.ts') && name !== 'subject.ts')
  expect(sources.length).toBeGreaterThan(5)
  expect(sources.filter(name => !files.includes(name.replace('.ts', '.test.ts')))).toEqual([])
})
