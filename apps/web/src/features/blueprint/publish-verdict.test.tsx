import { newConfiguration } from '@cadmus/model/configuration'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Publication, RebuildCheck } from '../../api/publications.ts'
import { uiSettings } from '../../providers.tsx'
import { UiSettingsContext } from '../../ui/settings.ts'
import { PublishVerdict } from './PublishVerdict.tsx'
import type { PublishChecks } from './use-publish-again.ts'

beforeEach(() => void vi.stubGlobal('location', { pathname: '/packages' }))
afterEach(() => void vi.unstubAllGlobals())

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
const check: RebuildCheck = {
  result: 'OK',
  message: '',
  version: '1.2.1',
  basedOn: '1.2.0',
  suggestion: null,
  opened: [],
  openedCount: 0,
  access: null,
  publishAs: 'PACKAGE',
  apis: ['REST', 'GRAPHQL'],
  sql: newConfiguration('Shop').configurationBuild.sqlConfiguration,
  connection: { type: 'POSTGRESQL', url: 'jdbc:x', databaseName: 'shop', username: '', hasPassword: true },
  choices: ['connection'],
  problems: [],
  errors: 0,
  warnings: 0,
}
const value = <T,>(read: T) => ({ value: read, failed: false as const, failure: null })
const reading = { failed: false, failure: null }

function rowsOf(change: Partial<PublishChecks>): Record<string, [state: string, text: string]> {
  const checks: PublishChecks = {
    instance: { instanceUrl: publication.instanceUrl },
    signIn: false,
    enter: () => undefined,
    check: value(check),
    running: value(null),
    data: value({ warnings: [], obstacles: [] }),
    ...change,
  }
  const ignored = () => undefined
  const html = renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <UiSettingsContext value={uiSettings}>
        <PublishVerdict
          manifest={{ id: 7, name: 'Shop' }}
          publication={publication}
          checks={checks}
          onLeave={ignored}
          onSettings={ignored}
        />
      </UiSettingsContext>
    </QueryClientProvider>,
  )
  const rows = [...html.matchAll(/data-state="(\w+)".*?<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)]
  const textOf = (part = '') =>
    part
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
  return Object.fromEntries(rows.map(([, state = '', heading, text]) => [textOf(heading), [state, textOf(text)]]))
}

it('each check shows its success', () => {
  expect(rowsOf({})).toEqual({
    Contract: ['good', 'Callers of 1.2.0 can go on.'],
    Data: ['good', 'The records on the instance remain.'],
    Scopes: ['good', 'No operation opens to more callers.'],
    Problems: ['good', 'None.'],
    Settings: [
      'none',
      'REST, GraphQL, PostgreSQL shop As last published. Everything else is as in the configuration. Change…',
    ],
  })
})

it('each check shows what breaks, with the way to it', () => {
  const suggestion = { version: '2.0.0', reasons: ['Client.revenue was removed.'] }
  const opened = [{ entity: 'Client', operation: 'select' as const, before: ['read'], after: [], opens: true }]
  const breaking = { ...check, suggestion, opened, openedCount: 3 }
  const rows = rowsOf({ check: value(breaking), data: value({ warnings: ['A column has records.'], obstacles: [] }) })
  expect(rows).toMatchObject({
    Contract: ['warning', 'Breaks callers of 1.2.0: Client.revenue was removed. Show the changes'],
    Scopes: [
      'warning',
      '3 operations open to more callers: Select of Client: read before, no scope now and 2 more Show the changes',
    ],
    Data: ['warning', 'The instance would report: A column has records. Show the changes'],
  })
})

it('records that prevent a start are shown with the way to the attribute', () => {
  const attribute = { kind: 'typeAttribute' as const, uid: 'tax' }
  const text = "'taxNumber' of 'Payer' is required and has no default, and there are 41 records already."
  const entity = { id: 9, name: 'Payer', path: 'user-defined/Tax/Payer' }
  const data = value({ warnings: [], obstacles: [{ text, entity, attribute }] })
  expect(rowsOf({ data })['Data']).toEqual(['bad', expect.stringContaining(`${text.replaceAll("'", '&#x27;')} Fix`)])
})

it('errors lead to their entity, and leave contract and data open', () => {
  const path = [
    { kind: 'manifest' as const, id: 7, name: 'Shop' },
    { kind: 'entity' as const, id: 9, name: 'Client' },
  ]
  const problems = [{ severity: 'error' as const, code: 'key', message: 'It has no key.', path }]
  expect(rowsOf({ check: value({ ...check, errors: 3, problems }), data: reading })).toMatchObject({
    Contract: ['none', 'Unknown until the errors are corrected.'],
    Data: ['idle', 'Not checked because of the errors.'],
    Problems: ['bad', '3 errors Client : It has no key. and 2 more'],
  })
})

it('says how many operations require no scope, unless a warning does', () => {
  const scopes = (access: RebuildCheck['access']) => rowsOf({ check: value({ ...check, access }) })['Scopes']?.[1]
  const none = 'No operation opens to more callers.'
  expect(scopes({ served: 5, open: 5, settings: 'anyone' })).toBe(
    `${none} All 5 operations may be called by anyone: Security is None.`,
  )
  expect(scopes({ served: 5, open: 2, settings: 'scopes' })).toBe(none)
  expect(scopes({ served: 0, open: 0, settings: 'noApi' })).toBe(none)
})

it('errors in the configuration lead to its part', () => {
  const path = [{ kind: 'manifest' as const, id: 7, name: 'Shop' }]
  const problems = [{ severity: 'error' as const, code: 'sotEntity', message: 'Client is missing.', path }]
  const { Problems } = rowsOf({ check: value({ ...check, errors: 1, problems }), data: reading })
  expect(Problems).toEqual(['bad', '1 error Shop Configuration : Client is missing.'])
})

it('running checks, a missing sign-in and an instance without previews have their own texts', () => {
  expect(rowsOf({ check: reading, data: reading })).toMatchObject({
    Contract: ['running', 'Checking the manifest and its contract…'],
    Data: ['running', 'Checking the data on https://run.test…'],
  })
  expect(rowsOf({ signIn: true, data: reading })['Data']).toEqual(['idle', 'Sign in to check the data.'])
  expect(rowsOf({ data: value({ warnings: null, obstacles: [] }) })['Data']?.[1]).toBe(
    'The instance cannot check its data in advance.',
  )
})
