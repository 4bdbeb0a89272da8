import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { ComparedSides } from '../api/comparison.ts'
import type { Publication } from '../api/publications.ts'
import { currentScope } from '../api/scope.ts'
import { publicationsQuery } from '../commands/published.ts'
import { uiSettings } from '../providers.tsx'
import { UiSettingsContext } from '../ui/settings.ts'
import { CountRecords, type RecordCounting, useRecordCounts } from './RecordCounts.tsx'

const publication: Publication = {
  packageId: 3,
  packageName: 'shop',
  manifestId: 7,
  version: '1.2.0',
  instanceUrl: 'https://run.test',
  signedIn: false,
  state: 'STARTED',
  userName: 'Ann',
  publishedAt: '2026-01-01T00:00:00.000Z',
}
const migration = { problems: [], refused: [], unpaired: [], dataSteps: [], steps: [], script: null }
const fromBuild: ComparedSides = {
  manifestId: 7,
  before: { kind: 'build', package: 3, version: '1.2.0' },
  after: { kind: 'now' },
}

function offered(sides: ComparedSides, publications: readonly Publication[], isUp = true): string[] {
  const client = new QueryClient()
  client.setQueryData(publicationsQuery(currentScope()).queryKey, publications)
  const shown: string[] = []
  const Offered = () => {
    shown.push(
      ...useRecordCounts(sides, isUp ? migration : undefined).publications.map(({ instanceUrl }) => instanceUrl),
    )
    return null
  }
  renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Offered />
    </QueryClientProvider>,
  )
  return shown
}

function rendered(change: Partial<RecordCounting>): string {
  const counting: RecordCounting = {
    publications: [publication],
    publication,
    choose: () => undefined,
    count: () => undefined,
    isCounting: false,
    failure: null,
    counts: null,
    ...change,
  }
  const html = renderToStaticMarkup(
    <UiSettingsContext value={uiSettings}>
      <CountRecords counting={counting} />
    </UiSettingsContext>,
  )
  return html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

it('counts are offered from the build that an instance got last to the current state, on the way up', () => {
  const other = { ...publication, instanceUrl: 'https://other.test' }
  expect(offered(fromBuild, [publication, other])).toEqual(['https://run.test', 'https://other.test'])
  expect(offered(fromBuild, [publication], false)).toEqual([])
  expect(offered(fromBuild, [{ ...publication, version: '1.1.0' }])).toEqual([])
  expect(offered(fromBuild, [{ ...publication, packageId: 4 }])).toEqual([])
  expect(offered({ ...fromBuild, before: { kind: 'version', version: '1.2.0' } }, [publication])).toEqual([])
  expect(offered({ ...fromBuild, after: { kind: 'version', version: '1.0.0' } }, [publication])).toEqual([])
})

it('the instance is named before, while and after it counts', () => {
  expect(rendered({})).toMatch(/^Records Count run\.test can count them/)
  expect(rendered({ isCounting: true })).toContain('Counting on run.test…')
  expect(rendered({ counts: new Map() })).toContain('Counted on run.test.')
  expect(rendered({ publications: [] })).toBe('')
})

it('a failure can be retried, and an instance of its own asks for a sign-in', () => {
  const failure = { message: 'run.test could not be reached.', busy: false, retry: () => undefined }
  expect(rendered({ failure })).toMatch(/run\.test could not be reached\. Retry/)
  const signedIn = { ...publication, signedIn: true }
  const html = rendered({ publications: [signedIn], publication: signedIn })
  expect(html).toContain('Sign In')
  expect(html).not.toMatch(/Records Count /)
})
