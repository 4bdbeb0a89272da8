import { expect, it } from 'vitest'
import { missingDocFiles } from './doc-files.ts'

it('reports source files that a document names and the repository lacks', () => {
  const text =
    'See `store/guard.ts`, `merge.ts`, `{read,write}.ts` and `*-flow.ts`; `gone.ts` moved. Not a file: `npm test`.'
  expect(missingDocFiles(text, new Set(['guard.ts', 'merge.ts', 'read.ts']))).toEqual(['write.ts', 'gone.ts'])
})
