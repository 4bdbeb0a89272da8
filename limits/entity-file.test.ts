import { readEntityDocument } from '@cadmus/formats/entity-document'
import { expect, it } from 'vitest'
import { within } from './within.ts'

it('an entity file of a million empty lists is refused before they are built', () => {
  const text = `{"definitions":[${'[],'.repeat(999_000)}[]]}`
  within(2000, () =>
    expect(() => readEntityDocument(text, 'Odd.cdm.json')).toThrow(
      expect.objectContaining({
        code: 'too-large',
        message: '"Odd.cdm.json" has more than 200000 lists and objects.',
      }),
    ),
  )
})
