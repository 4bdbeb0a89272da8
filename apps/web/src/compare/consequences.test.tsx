import type { Consequences as Answer } from '@cadmus/model/contract/comparison'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { uiSettings } from '../providers.tsx'
import { UiSettingsContext } from '../ui/settings.ts'
import { Consequences, type ConsequencesProps } from './Consequences.tsx'

const same: Answer = {
  problems: [],
  schema: { steps: [], refusals: [], statements: [] },
  api: { isServed: true, breaks: [], additions: [] },
  scopes: [],
}

const client = new QueryClient({ defaultOptions: { queries: { queryFn: () => null } } })

function rendered(consequences: Answer | undefined, more: Partial<ConsequencesProps> = {}): string {
  const ignored = () => undefined
  const props = { consequences, database: 'postgresql', onDatabase: ignored, error: null, retry: ignored } as const
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <UiSettingsContext value={uiSettings}>
        <Consequences {...props} {...more} />
      </UiSettingsContext>
    </QueryClientProvider>,
  )
}

/** The texts of the elements of a kind. */
function textsOf(html: string, tag: string): string[] {
  const elements = html.match(new RegExp(`<${tag}[ >].*?</${tag}>`, 'g')) ?? []
  return elements.map(element => element.replace(/<[^>]*>/g, '').trim())
}

it('consequences are shown with counts, what breaks and loses data first, and statements that run', () => {
  const html = rendered({
    problems: [],
    schema: {
      steps: [
        { grade: 'safe', entity: 'Item', attribute: '', text: "'Item' is new." },
        { grade: 'losesData', entity: 'Ward', attribute: '', text: "'Ward' is dropped." },
      ],
      refusals: ['A is required.'],
      statements: ['BEGIN', 'DROP TABLE "Ward"', 'COMMIT'],
    },
    api: { isServed: true, breaks: ['Ward was removed.'], additions: ['Item is new.', 'Order.\u202Ex is new.'] },
    scopes: [{ entity: 'Item', operation: 'select', before: null, after: [], opens: true }],
  })
  expect(textsOf(html, 'h3')).toEqual(['API 3', 'Scopes 1', 'SQL 2'])
  expect(textsOf(html, 'h4')).toEqual([
    'Breaks callers 1',
    'New for callers 2',
    'Loses data 1',
    'Safe 1',
    'Existing records may prevent this 1',
    'Statements',
  ])
  expect(textsOf(html, 'li')).toContain('Order.‹U+202E›x is new.')
  expect(textsOf(html, 'td')).toEqual(['Select', 'not offered', 'no scope', 'Opens to everyone'])
  expect(html).toContain('One operation can be called without a scope from now on.')
  expect(textsOf(html, 'pre')).toEqual(['BEGIN;', 'DROP TABLE &quot;Ward&quot;;', 'COMMIT;'])
})

it('statements that could not be worked out, equal sides, problems and a failed read say so', () => {
  const step = { grade: 'safe', entity: 'Item', attribute: '', text: "'Item' is new." } as const
  const unwritten = { ...same, schema: { steps: [step], refusals: [], statements: null } }
  expect(rendered(unwritten)).toContain('There are no statements.')
  expect(rendered(same)).toContain('Tables, API and scopes are the same on both sides.')
  const unserved = { ...unwritten, api: { ...same.api, isServed: false } }
  expect(rendered(unwritten)).toContain('No call of the configured API changes.')
  expect(rendered(unserved)).toContain('No API is configured.')
  const problem = rendered({ ...same, problems: ['After (Clinic 1.0.0): Ward has no primary key.'] })
  expect(textsOf(problem, 'li')).toEqual(['After (Clinic 1.0.0): Ward has no primary key.'])
  expect(problem).not.toContain('The tables are the same.')
  expect(textsOf(rendered(undefined, { error: new Error('x') }), 'button')).toContain('Retry')
})
