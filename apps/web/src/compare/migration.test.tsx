import type { Migration } from '@cadmus/model/contract/comparison'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { uiSettings } from '../providers.tsx'
import { UiSettingsContext } from '../ui/settings.ts'
import { MigrationAnswer } from './Migration.tsx'
import { Renames } from './ScriptBefore.tsx'

const empty: Migration = {
  problems: [],
  refused: [],
  unpaired: [],
  dataSteps: [],
  steps: [],
  script: { fileName: 'a.sql', text: '' },
}
const client = new QueryClient({ defaultOptions: { queries: { queryFn: () => null } } })

function rendered(more: Partial<Migration>, counts: ReadonlyMap<string, number> | null = null): string {
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <UiSettingsContext value={uiSettings}>
        <MigrationAnswer migration={{ ...empty, ...more }} counts={counts} />
      </UiSettingsContext>
    </QueryClientProvider>,
  )
}

/** The texts of the elements of a kind. */
function textsOf(html: string, tag: string): string[] {
  const elements = html.match(new RegExp(`<${tag}[ >].*?</${tag}>`, 'g')) ?? []
  return elements.map(element => element.replace(/<[^>]*>/g, '').trim())
}

it('steps are shown by grade, what loses data first, with the query that counts and the script', () => {
  const step = { entity: 'Ward', attribute: '', question: null, key: null } as const
  const html = rendered({
    steps: [
      { ...step, grade: 'losesData', text: "'Ward' is dropped.", question: 'SELECT COUNT(*) FROM "Ward"' },
      { ...step, grade: 'safe', text: "'Item\u202E' is new." },
    ],
    script: { fileName: 'V2__Shop.sql', text: 'DROP TABLE "Ward";\n' },
  })
  expect(textsOf(html, 'h3')).toEqual(['Loses data 1', 'Safe 1', 'V2__Shop.sql'])
  expect(textsOf(html, 'code')).toEqual(['SELECT COUNT(*) FROM &quot;Ward&quot;'])
  expect(textsOf(html, 'li')).toContain('&#x27;Item‹U+202E›&#x27; is new.')
  expect(textsOf(html, 'button')).toEqual(['', 'Copy', 'Download'])
})

it('counts of an instance are shown beside their steps, zero and missing ones as such', () => {
  const steps = ['a', 'b', 'c', null].map(key => ({
    grade: 'mayFail' as const,
    entity: 'Ward',
    attribute: 'name',
    text: `Step ${key}.`,
    question: key && `SELECT ${key}`,
    key,
  }))
  const counts = new Map([
    ['a', 1200],
    ['b', 0],
  ])
  expect(textsOf(rendered({ steps }, counts), 'strong')).toEqual(['Counted: 1,200', 'Counted: 0', 'Not counted'])
  expect(textsOf(rendered({ steps }), 'strong')).toEqual([])
})

it('without a difference there is nothing to migrate, and refused changes say what to do', () => {
  expect(rendered({})).toContain('there is nothing to migrate')
  const html = rendered({ refused: ['Add another.'], script: null })
  expect(html).toContain('A script cannot make these changes:')
  expect(textsOf(html, 'li')).toEqual(['Add another.'])
  expect(textsOf(html, 'h3')).toEqual([])
})

it('what a script calls otherwise can be chosen as renamed, with a suggestion', () => {
  const customer = { uid: 'a', name: 'Customer' }
  const unpaired = [{ table: 'Client', column: null, candidates: [customer], suggested: 'a' }]
  const script = { kind: 'script' as const, text: '', renames: [] }
  const html = renderToStaticMarkup(
    <UiSettingsContext value={uiSettings}>
      <Renames unpaired={unpaired} script={script} onChange={() => {}} />
    </UiSettingsContext>,
  )
  expect(textsOf(html, 'button')).toContain('Take 1 Suggestion')
  expect(html).toContain('Client')
  expect(renderToStaticMarkup(<Renames unpaired={[]} script={script} onChange={() => {}} />)).toBe('')
})
