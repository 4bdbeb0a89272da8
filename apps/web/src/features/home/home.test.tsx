import type { PackageItem } from '@cadmus/model/contract/package'
import type { InstancePackage } from '@cadmus/model/contract/instance'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, describe, expect, it } from 'vitest'
import { ApiError } from '../../api/error.ts'
import { problemCountsQuery } from '../../api/problems.ts'
import { keyIn, keys } from '../../api/query-client.ts'
import type { AppContext } from '../../commands/context.ts'
import { RunState } from '../../hosting/RunState.tsx'
import { uiSettings } from '../../providers.tsx'
import { UiSettingsContext } from '../../ui/settings.ts'
import { FavouriteDocuments, RecentDocuments } from './DocumentLists.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { Problems } from './Problems.tsx'
import { Running } from './Running.tsx'

const context: AppContext = { target: { kind: 'none' }, isAdmin: false, hasManifests: true, active: null }
const url = 'http://localhost:4100'

let client: QueryClient
beforeEach(() => {
  client = new QueryClient({ defaultOptions: { queries: { queryFn: () => null, retry: false } } })
})

function rendered(screen: ReactNode): string {
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <UiSettingsContext value={{ ...uiSettings, skeletonDelay: 0 }}>{screen}</UiSettingsContext>
    </QueryClientProvider>,
  )
}

/** Without tags. */
function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function packageNamed(name: string, more: Partial<PackageItem> = {}): PackageItem {
  const build = { status: 'SUCCESS', reason: '', publishAs: 'PACKAGE', size: 1, userName: 'ada' } as const
  const times = { askedAt: '', endedAt: '', manifestVersion: '1.0.0' }
  return {
    id: name.length,
    userId: 'ada',
    guid: name,
    name,
    manifestId: 7,
    manifestName: name,
    manifestPath: `user-defined/${name}`,
    isDefault: false,
    status: 'SUCCESS',
    versions: ['1.0.1'],
    builds: [{ ...build, ...times, version: '1.0.1' }],
    ...more,
  }
}

function serve(packages: readonly PackageItem[], there?: readonly InstancePackage[]): void {
  client.setQueryData(keyIn([...keys.packages, { filter: 'private', search: '' }]), {
    packages,
    total: packages.length,
  })
  client.setQueryData(keyIn(['instance', 'hosted', 'list']), [{ id: 'local', name: 'local', path: url }])
  if (there) client.setQueryData(keyIn(['instance', 'hosted', 'packages', url]), there)
}

const hosted = (name: string, status: string, more: Partial<InstancePackage> = {}): InstancePackage => ({
  id: name,
  name,
  versions: ['1.0.1'],
  status,
  ...more,
})

describe('running packages', () => {
  it('a started package has a link to its explorer and no Start', () => {
    serve([packageNamed('shop')], [hosted('shop', 'STARTED')])
    const html = rendered(<Running context={context} />)
    expect(textOf(html)).toContain('Started on local 1.0.1')
    expect(html).toContain(`href="${url}/api-explorer?package=shop"`)
    expect(html).not.toContain('Start on local')
  })

  it('a package that is not started has Start and no link', () => {
    for (const status of ['LOADED', 'START_FAILED']) {
      serve([packageNamed('shop')], [hosted('shop', status)])
      const html = rendered(<Running context={context} />)
      expect(html).toContain('aria-label="Start on local"')
      expect(html).not.toContain('api-explorer')
    }
  })

  it('a starting package has neither', () => {
    serve([packageNamed('shop')], [hosted('shop', 'STARTING')])
    const html = rendered(<Running context={context} />)
    expect(textOf(html)).toContain('Starting on local')
    expect(html).not.toMatch(/Start on local|api-explorer/)
  })

  it('packages on an instance come first, and a deleted manifest is no link', () => {
    serve([packageNamed('aaa', { manifestId: -1 }), packageNamed('shop')], [hosted('shop', 'STARTED')])
    const html = rendered(<Running context={context} />)
    expect(html.indexOf('>shop<')).toBeLessThan(html.indexOf('aaa'))
    expect(textOf(html)).toContain('Not on any hosted instance.')
    expect(html.match(/href="[^"]*manifest=/g)).toHaveLength(1)
  })

  it("another organisation's package of the same name does not count", () => {
    serve([packageNamed('shop')], [hosted('shop', '', { versions: [], taken: true })])
    expect(textOf(rendered(<Running context={context} />))).toContain('Not on any hosted instance.')
  })

  it('an instance that no longer answers is named with Retry, beside the last state', async () => {
    serve([packageNamed('shop')], [hosted('shop', 'STARTED')])
    await client.prefetchQuery({
      queryKey: keyIn(['instance', 'hosted', 'packages', url]),
      queryFn: () => Promise.reject(new ApiError(409, { message: 'local could not be reached.' })),
      staleTime: 0,
    })
    const html = rendered(<Running context={context} />)
    expect(textOf(html)).toContain('The packages on local could not be read. local could not be reached.')
    expect(html).toContain('aria-label="Retry: local"')
    expect(textOf(html)).toContain('Last seen: Started on local')
  })

  it('an instance that never answered leaves the state unknown', () => {
    const failure = { message: 'local could not be reached.', busy: false, retry: () => undefined }
    const hosting = [{ name: 'local', instanceUrl: url, packages: undefined, failure }]
    expect(textOf(rendered(<RunState item={packageNamed('shop')} hosting={hosting} readOnly={false} />))).toBe(
      'State unknown.',
    )
    expect(rendered(<RunState item={packageNamed('shop')} hosting={[]} readOnly={false} />)).toBe('')
  })

  it('states that there are none only once that is known', () => {
    expect(textOf(rendered(<Running context={context} />))).toBe('Running')
    serve([])
    expect(textOf(rendered(<Running context={context} />))).toBe('Running No package has been built yet.')
  })

  it('shows eight packages and the number of the others', () => {
    serve(Array.from({ length: 11 }, (_, at) => packageNamed('p'.repeat(at + 1))))
    expect(rendered(<Running context={context} />).match(/aria-label="Package p+"/g)).toHaveLength(8)
  })
})

describe('problems', () => {
  const shop = { id: 7, name: 'Shop', path: 'user-defined/Shop' }
  const counted = (errors: number, warnings: number) => ({
    errors,
    warnings,
    tag: 'a',
    entities: { ids: [], errors: [], warnings: [] },
  })

  it('counts are links to the problems of the manifest', () => {
    client.setQueryData(problemCountsQuery(7).queryKey, counted(1, 12))
    const html = rendered(<Problems manifests={[shop]} />)
    expect(textOf(html)).toBe('Problems Shop 1 error · 12 warnings')
    expect(html).toMatch(/href="[^"]*manifest=7&amp;tab=problems"/)
  })

  it('none is stated calmly, and unknown ones are being counted', () => {
    client.setQueryData(problemCountsQuery(7).queryKey, counted(0, 0))
    expect(textOf(rendered(<Problems manifests={[shop]} />))).toBe('Problems Shop No problems')
    const html = rendered(<Problems manifests={[{ ...shop, id: 8 }]} />)
    expect(html).toContain('aria-busy="true"')
  })
})

describe('listed documents', () => {
  it('have kind, folder and time', () => {
    const at = new Date(2026, 10, 29, 9, 5).getTime()
    const documents = [{ kind: 'entity', id: 1, name: 'Order', path: 'user-defined/Shop/Order', at } as const]
    const text = textOf(rendered(<RecentDocuments documents={documents} />))
    expect(text).toBe('Recent Order , Entity user-defined/ Shop 2026-11-29 09:05')
    expect(rendered(<FavouriteDocuments documents={documents} />)).toContain('Remove Order from Favourites')
  })

  it('have a sentence while there are none', () => {
    expect(textOf(rendered(<RecentDocuments documents={[]} />))).toContain('Documents that you open')
    expect(textOf(rendered(<FavouriteDocuments documents={[]} />))).toContain('The star beside the name')
  })

  it('hidden characters of names are visible', () => {
    const documents = [{ kind: 'manifest', id: 1, name: 'a\u202Eb', at: 0 } as const]
    expect(textOf(rendered(<RecentDocuments documents={documents} />))).toContain('a‹U+202E›b')
  })
})

describe('first steps', () => {
  const buttons = (html: string) => [...html.matchAll(/<button.*?<\/button>/g)].map(([button]) => textOf(button))

  it('offer the example only where it exists', () => {
    expect(buttons(rendered(<FirstSteps context={context} />))).toEqual(['New Manifest', 'Import', 'Take the Tour'])
    client.setQueryData(keyIn([...keys.manifests, 'example']), { id: 3, name: 'Shop', location: 'user-defined/Shop' })
    expect(buttons(rendered(<FirstSteps context={context} />))).toContain('Try Shop')
  })
})
