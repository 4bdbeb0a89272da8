import { processorTime } from '@cadmus/testing/processor-time'
import { expect, it } from 'vitest'
import { ImportError } from '../import-error.ts'
import { readEntityDocument } from './read.ts'

it('readEntityDocument refuses a file of a million empty lists within 2 s, before it builds them', () => {
  const text = `{"definitions":[${'[],'.repeat(999_000)}[]]}`
  const started = processorTime()
  let refused: unknown
  try {
    readEntityDocument(text, 'Odd.cdm.json')
  } catch (error) {
    refused = error
  }
  expect(refused).toBeInstanceOf(ImportError)
  expect(refused).toMatchObject({
    code: 'too-large',
    message: '"Odd.cdm.json" has more than 200000 lists and objects.',
  })
  expect(processorTime() - started).toBeLessThan(2000)
})
